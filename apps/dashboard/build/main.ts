// A program: builds the web app and prints its folder. Its argument is the folder; without it the folder is kept in .cache.
import { buildWebApp, builtWebApp } from './web-app.ts';

const [, , folder] = process.argv;
if (folder !== undefined) await buildWebApp(folder);
process.stdout.write(folder ?? (await builtWebApp()));
