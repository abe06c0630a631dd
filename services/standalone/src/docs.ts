// The parts of the README that are made of the code: between two marks, so that they can be made anew.
import { AccountConfig } from '@landfall/account';
import { AttributionConfig } from '@landfall/attribution';
import { GatewayConfig, ScaledOutConfig } from '@landfall/gateway';
import { describeConfig } from '@landfall/runtime';
import { WorkerConfig } from '@landfall/worker';
import type { z } from 'zod';
import { StandaloneConfig } from './config.ts';

const START = '<!-- configuration: made by `npm run docs` -->';
const END = '<!-- end of configuration -->';

const START_COMMAND = '`npm start`';
/** What each program reads. */
const programs: readonly (readonly [name: string, ...schemas: z.ZodObject[]])[] = [
  [START_COMMAND, GatewayConfig, StandaloneConfig],
  ['gateway', GatewayConfig, ScaledOutConfig],
  ['link', WorkerConfig],
  ['attribution', AttributionConfig],
  ['account', AccountConfig],
];
const workers = ['link', 'attribution', 'account'];

/** The README with its table of configuration made anew. Throws when the marks are not there. */
export function withConfiguration(readme: string): string {
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the README must hold ${START} and ${END}`);
  return `${before}${START}\n${table()}\n${END}${after}`;
}

/** A variable, with what the programs that read it say of it. */
interface Variable {
  readers: string[];
  fallbacks: Set<string>;
  descriptions: Set<string>;
}

function table(): string {
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
  const lines = [...variables].map(
    ([name, { readers, fallbacks, descriptions }]) =>
      `| \`${name}\` | ${readersOf(readers)} | ${[...fallbacks].join('; ')} | ${[...descriptions].join(' ')} |`,
  );
  return ['| Variable | Read by | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n');
}

function readersOf(readers: readonly string[]): string {
  if (readers.length === programs.length) return 'all';
  const rest = readers.filter((reader) => !workers.includes(reader));
  return (readers.length - rest.length === workers.length ? [...rest, 'workers'] : readers).join(', ');
}

const cell = (fallback: string): string => (fallback.includes(' ') ? fallback : `\`${fallback}\``);
