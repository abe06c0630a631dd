import { type Command, InvalidArgumentError } from 'commander';
import type { AddCommand } from '../command.ts';
import { examine } from './doctor.ts';
import { findingsText } from './finding.ts';

const ABOUT = `
Changes nothing, and takes some ten seconds at the most. Ends with 1 when something failed.

It reads the variables that the services have: PUBLIC_URL, LINK_DOMAIN, DATABASE_URL, KAFKA_BROKERS and its further ones,
REDIS_URL, OWNER_TOKEN or LANDFALL_TOKEN, each also as NAME_FILE. Beside npm start and npm run stack it finds them by itself in
LANDFALL_DATA. What each line means: docs/reference/doctor.md.`;

export const addDoctor: AddCommand = (program, { env, print, exitCode }) => {
  const command: Command = program
    .command('doctor')
    .description('Look at all parts of an installation, and say what is wrong and what to do.')
    .option('--json', 'show the findings as JSON')
    .option('--gateway <url>', 'a single gateway behind PUBLIC_URL, as often as there are some', urls)
    .option('--process <url>', 'the METRICS_PORT of a process, for its /readyz, as often as there are some', urls)
    .option('--resolver <address[:port]>', "a name server to ask instead of this machine's: 1.1.1.1")
    .option('--patience <n>', 'gives everything n times as long: for far or busy machines', times, 1)
    .addHelpText('after', ABOUT);
  command.action(async () => {
    const { json = false, gateway = [], process = [], resolver, patience } = command.opts();
    const findings = await examine(env, { gateways: gateway, processes: process, resolver, patience });
    print(json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    exitCode(findings.some(({ state }) => state === 'fail') ? 1 : 0);
  });
};

function times(text: string): number {
  const n = Number(text);
  if (n >= 1 && n <= 20) return n;
  throw new InvalidArgumentError('It must be a number from 1 to 20');
}

function urls(text: string, before: readonly string[] = []): string[] {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return [...before, text.replace(/\/+$/, '')];
  throw new InvalidArgumentError('It must be an http or https URL');
}
