// Reports the version of doctor, the kind of installation, and the source of its settings.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Facts } from '../facts/facts.ts';
import type { Setup } from '../facts/setup.ts';
import { type Finding, ok, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const versionsCheck: Check<Facts> = {
  name: 'landfall',
  run: async ({ setup }) => [versionsFinding(setup, ownVersion(), process.versions.node, hostname())],
};

const WANTED_NODE = 24;
const WHAT: Readonly<Record<Setup['how'], string>> = {
  'npm start': 'everything in one process (npm start)',
  'npm run stack': 'the processes of npm run stack',
  'services over Kafka': 'services over Kafka (KAFKA_BROKERS)',
};

export function versionsFinding({ how }: Pick<Setup, 'how'>, version: string, node: string, host: string): Finding {
  const says = `${version}, Node ${node}, on ${host}; looks at ${WHAT[how]}`;
  const facts = { version, node, host, how };
  if (Number.parseInt(node, 10) >= WANTED_NODE) return ok('landfall', says, facts);
  return warn(
    'landfall',
    says,
    `Landfall is run by Node ${WANTED_NODE}: npm start and npm run landfall bring it along.`,
    facts,
  );
}

function ownVersion(): string {
  const file = path.resolve(import.meta.dirname, '../../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
