// `npm run types`: writes the table of the pages. It is not committed.
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import { routeOptions } from './route-options.ts';

const root = path.resolve(import.meta.dirname, '..');
await new Generator({ config: getConfig(routeOptions, root), root }).run();
