// A program: builds the web app and prints its folder when the pages are there. Then it packs the clients. Its argument is the
// folder; without it the folder is kept in .cache.
import { buildPages, builtPages, packClients } from './web-app.ts';

const [, , asked] = process.argv;
if (asked !== undefined) await buildPages(asked);
const folder = asked ?? (await builtPages());
process.stdout.write(folder);
await packClients(folder);
