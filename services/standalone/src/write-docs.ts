// `npm run docs`: writes what the documentation takes from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withConfiguration } from './docs.ts';
import { withMetrics } from './metrics-doc.ts';

function remake(file: string, make: (before: string) => string): void {
  const place = path.resolve(import.meta.dirname, '../../..', file);
  writeFileSync(place, make(readFileSync(place, 'utf8')));
}

remake('README.md', withConfiguration);
remake('docs/metrics.md', withMetrics);
