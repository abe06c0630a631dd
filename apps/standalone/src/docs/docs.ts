// Writes the table of variables in docs/reference/configuration.md.
import { AccountConfig } from '@landfall/account';
import { AnalyticsConfig } from '@landfall/analytics';
import { AttributionConfig } from '@landfall/attribution';
import { GatewayConfig, ScaledOutConfig } from '@landfall/gateway';
import { LinkConfig } from '@landfall/link';
import { PushConfig } from '@landfall/push';
import { describeConfig } from '@landfall/runtime';
import type { z } from 'zod';
import { StandaloneConfig } from '../config.ts';
import { code, table, withPart } from '../marks.ts';

const START_COMMAND = '`npm start`';
/** The variables that each program reads. */
const programs: readonly (readonly [name: string, ...schemas: z.ZodObject[]])[] = [
  [START_COMMAND, GatewayConfig, StandaloneConfig],
  ['gateway', GatewayConfig, ScaledOutConfig],
  ['link', LinkConfig],
  ['attribution', AttributionConfig],
  ['account', AccountConfig],
  ['push', PushConfig],
  ['analytics', AnalyticsConfig],
];
const workers = ['link', 'attribution', 'account', 'push', 'analytics'];

/** Returns the page with a new table of configuration. Throws when the marks are missing. */
export function withConfiguration(page: string): string {
  return withPart('docs/reference/configuration.md', page, 'configuration', configuration());
}

/** A variable, with the readers, the defaults and the descriptions from the programs that read it. */
interface Variable {
  readers: string[];
  fallbacks: Set<string>;
  descriptions: Set<string>;
}

function configuration(): string {
  const variables = new Map<string, Variable>();
  for (const [program, ...schemas] of programs) {
    for (const { name, fallback, description } of schemas.flatMap(describeConfig)) {
      const variable = variables.get(name) ?? { readers: [], fallbacks: new Set(), descriptions: new Set() };
      variables.set(name, variable);
      variable.readers.push(program);
      if (fallback.trim() !== '') variable.fallbacks.add(cell(fallback));
      variable.descriptions.add(description);
    }
  }
  const rows = [...variables].map(([name, { readers, fallbacks, descriptions }]) => [
    code(name),
    readersOf(readers),
    [...fallbacks].join('; '),
    [...descriptions].join(' '),
  ]);
  return table([['Variable', 'Read by', 'Default', 'Meaning'], ...rows]);
}

function readersOf(readers: readonly string[]): string {
  if (readers.length === programs.length) return 'all';
  const rest = readers.filter((reader) => !workers.includes(reader));
  return (readers.length - rest.length === workers.length ? [...rest, 'workers'] : readers).join(', ');
}

const cell = (fallback: string): string => (fallback.includes(' ') ? fallback : code(fallback));
