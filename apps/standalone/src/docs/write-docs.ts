// `npm run docs`: writes the parts of the documentation that come from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiClientText } from './api-client.ts';
import { asyncapi } from './asyncapi.ts';
import { dashboardText } from './dashboards.ts';
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
writeFileSync(placeOf('docs/reference/asyncapi.json'), `${JSON.stringify(asyncapi(), null, 2)}\n`);
for (const store of ['postgresql', 'clickhouse'] as const)
  writeFileSync(placeOf(`deploy/grafana/landfall-product-${store}.json`), dashboardText(store));
writeFileSync(placeOf('packages/api-client/src/schema.ts'), await apiClientText());
