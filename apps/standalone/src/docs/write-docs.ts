// `npm run docs`: writes the parts of the documentation that come from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withConfiguration, withSettings } from './docs.ts';
import { withMessages } from './messages-doc.ts';
import { withMetrics } from './metrics-doc.ts';

function remake(file: string, make: (before: string) => string): void {
  writeFileSync(placeOf(file), make(readFileSync(placeOf(file), 'utf8')));
}

function placeOf(file: string): string {
  return path.resolve(import.meta.dirname, '../../../..', file);
}

remake('docs/reference/configuration.md', withConfiguration);
remake('docker-compose.yml', withSettings);
remake('docs/reference/metrics.md', withMetrics);
remake('docs/reference/messages.md', withMessages);
