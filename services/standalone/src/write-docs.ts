// `npm run docs`: writes what the documentation takes from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withConfiguration } from './docs.ts';

const readme = path.resolve(import.meta.dirname, '../../../README.md');
writeFileSync(readme, withConfiguration(readFileSync(readme, 'utf8')));
