// The parts of the README that are made of the code: between two marks, so that they can be made anew.
import { GatewayConfig } from '@landfall/gateway';
import { describeConfig } from '@landfall/runtime';
import { StandaloneConfig } from './config.ts';

const START = '<!-- configuration: made by `npm run docs` -->';
const END = '<!-- end of configuration -->';

/** The README with its table of configuration made anew. Throws when the marks are not there. */
export function withConfiguration(readme: string): string {
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the README must hold ${START} and ${END}`);
  return `${before}${START}\n${table()}\n${END}${after}`;
}

function table(): string {
  const rows = [...describeConfig(GatewayConfig), ...describeConfig(StandaloneConfig)];
  const lines = rows.map(({ name, fallback, description }) => `| \`${name}\` | ${cell(fallback)} | ${description} |`);
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...lines].join('\n');
}

const cell = (fallback: string): string =>
  fallback.trim() === '' ? '' : fallback.includes(' ') ? fallback : `\`${fallback}\``;
