// Alerts and the dashboard use only metrics and labels that exist. Every alert is tested and explained. The chart uses
// only variables and programs that exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AnalyticsConfig } from '@landfall/analytics';
import { AttributionConfig } from '@landfall/attribution';
import { ConsoleProcessConfig } from '@landfall/console';
import { GatewayConfig, ScaledOutConfig } from '@landfall/gateway';
import { LinkConfig } from '@landfall/link';
import { PushConfig } from '@landfall/push';
import { createMetrics, productVersion } from '@landfall/runtime';
import { WorkerConfig } from '@landfall/worker';
import { describe, expect, it } from 'vitest';
import { metrics as ours } from './docs/metrics-doc.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const rules = read('deploy/prometheus/landfall.rules.yml');
const board = read('deploy/grafana/landfall.json');
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name!);

/** The names of a metric in queries. A histogram has several names. */
const names = ours.flatMap(({ name, type }) =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
);

/** Returns every metric in a text, with the labels in its selector. */
function metricsIn(text: string): [name: string, labels: string[]][] {
  return [...text.matchAll(/\b((?:landfall|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => [name, [...selector.matchAll(/(\w+)\s*[!=]?[=~]/g)].map(([, label]) => label!)],
  );
}

const queries: string[] = JSON.parse(board)
  .panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? [])
  .map(({ expr }: { expr: string }) => expr);

describe.each([
  ['alerts', [...rules.matchAll(/^ {8}expr: (\|\n(?: {10}.*\n)+|.*\n)/gm)].map(([, expr]) => expr!)],
  ['the dashboard', queries],
])('%s', (_, expressions) => {
  it('ask for metrics that exist, by labels that they have', async () => {
    const common = [...(await createMetrics({ service: 'test' }).text()).matchAll(/^# TYPE (\S+) /gm)].map(
      ([, n]) => n!,
    );
    const asked = expressions.flatMap(metricsIn);
    expect(asked.length).toBeGreaterThanOrEqual(expressions.length);
    for (const [name, labels] of asked) {
      expect([...names, ...common]).toContain(name);
      const definition = ours.find((one) => name.startsWith(one.name));
      // Prometheus adds the labels `job` and `instance`. `le` is the bound of a bucket.
      for (const label of labels)
        expect([...(definition?.labels ?? []), 'job', 'instance', 'le'], name).toContain(label);
    }
  });
});

it('the dashboard shows every metric of ours', () => {
  for (const { name } of ours)
    expect(
      queries.some((query) => query.includes(name)),
      name,
    ).toBe(true);
});

it('every alert is seen to fire and not to fire, and says who it is for and where to read on', () => {
  expect(alerts.length).toBeGreaterThan(10);
  const tests = read('deploy/prometheus/landfall.rules.test.yml');
  const whole = rules.split(/^ {6}- alert: /m).slice(1);
  for (const [i, name] of alerts.entries()) {
    const outcomes = [...tests.matchAll(new RegExp(`alertname: ${name}\\n.*\\n +exp_alerts:(.*)`, 'g'))].map(
      ([, none]) => none!.trim(),
    );
    expect(new Set(outcomes), name).toEqual(new Set(['[]', '']));
    expect(whole[i]).toMatch(/severity: (critical|warning)\n/);
    expect(whole[i]).toMatch(/summary: \S/);
    expect(whole[i]).toContain(`runbook_url: https://landfall.example/docs/operations#${name.toLowerCase()}\n`);
  }
});

it('docs/operations.md has a section for each alert, and none for others', () => {
  const sections = [...read('docs/operations.md').matchAll(/^#+ (Landfall\w+)$/gm)].map(([, name]) => name!);
  expect(sections).toEqual(alerts);
});

describe('the chart', () => {
  const templates = globSync('deploy/helm/landfall/templates/*', { cwd: root }).map(read).join('\n');
  const all = (pattern: RegExp) => [...new Set([...templates.matchAll(pattern)].map(([, name]) => name!))];

  it('sets variables that services read', () => {
    const schemas = [
      AnalyticsConfig,
      GatewayConfig,
      ScaledOutConfig,
      WorkerConfig,
      ConsoleProcessConfig,
      LinkConfig,
      AttributionConfig,
      PushConfig,
    ];
    const known = schemas.flatMap((schema) => Object.keys(schema.shape));
    const set = [...all(/name: ([A-Z][A-Z_]+)\b/g), ...all(/^([A-Z][A-Z_]+) \{\{/gm)];
    expect(set).toEqual(expect.arrayContaining(['TRUST_PROXY', 'KAFKA_TLS_CA', 'HASH_SECRET']));
    for (const name of set) expect(known).toContain(name);
  });

  it('starts programs that exist, one for each service', () => {
    const services = Object.keys(
      JSON.parse(read('deploy/helm/landfall/values.schema.json')).properties.services.properties,
    );
    expect(all(/args: \[((?:services|tools)\/[^\],]+)/g)).toEqual(
      expect.arrayContaining(['services/{{ $service }}/src/main.ts', 'tools/cli/src/main.ts']),
    );
    for (const program of [...services.map((service) => `services/${service}`), 'tools/cli'])
      expect(existsSync(path.join(root, program, 'src/main.ts')), program).toBe(true);
  });

  it('is of the version of the product', () => {
    expect(read('deploy/helm/landfall/Chart.yaml')).toContain(`\nappVersion: ${productVersion}\n`);
  });
});

describe('what a start fetches', () => {
  const { config } = JSON.parse(read('package.json')) as { config: Record<string, string> };

  it.each(['node', 'pnpm'])('%s is fetched by the hashes of the version that package.json names', (tool) => {
    const { packages } = JSON.parse(read(`scripts/tools/${tool}/package-lock.json`)) as {
      packages: Record<string, { version?: string; integrity?: string }>;
    };
    const fetched = Object.entries(packages).filter(([name]) => name !== '');
    expect(fetched.length).toBeGreaterThan(0);
    for (const [name, { version, integrity }] of fetched)
      expect([name, version, integrity]).toEqual([name, config[tool], expect.stringMatching(/^sha512-.{88}$/)]);
  });
});
