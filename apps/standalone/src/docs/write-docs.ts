// `npm run docs`: writes the parts of the documentation that come from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generated } from './docs.ts';

for (const [file, make] of generated) {
  const place = path.resolve(import.meta.dirname, '../../../..', file);
  writeFileSync(place, make(readFileSync(place, 'utf8')));
}
