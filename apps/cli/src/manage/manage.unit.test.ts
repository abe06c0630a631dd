// How the commands over the management API are called: what cannot be meant is found before anybody is asked.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from '../commands.ts';
import { UsageError } from '../usage-error.ts';

const TOKEN = `lf_${'0'.repeat(32)}`;
const run = (args: string, env: NodeJS.ProcessEnv = {}, print: (text: string) => void = () => {}) =>
  // Nobody listens there.
  runCommand(args === '' ? [] : args.split(' '), { LANDFALL_DATA: '/nowhere', PORT: '2', ...env }, print);

it.each([
  ['apps', 'It is used like this'],
  ['apps sing', 'There is no apps sing. It is used like this'],
  ['apps toString', 'There is no apps toString'],
  ['apps list shop', '"shop" is one too many'],
  ['apps list --all --archived', '--all and --archived exclude each other'],
  ['apps create --subdomain shop', '<name> is missing'],
  ['apps create Shop', '--subdomain is missing'],
  ['apps show', '<app> is missing'],
  ['apps archive a b', '"b" is one too many'],
  ['apps list --loud', "Unknown option '--loud'"],
  ['keys list', '--app is missing'],
  ['keys create --app', "Option '--app <value>' argument missing"],
  ['keys create --app shop --server yes', '"yes" is one too many'],
  ['keys rotate --app shop', '<key id> is missing'],
  ['domains add --app shop', '<domain> is missing'],
  ['plans set --app shop --name free', '--links is missing'],
  ['plans set --app shop --name free --links many', '--links must be a number or "unlimited", not "many"'],
  ['pushes list', '--app is missing'],
  ['pushes stop', '<push id> is missing'],
  ['pushes why 7', '--user is missing'],
  ['users reset-password', '<email> is missing'],
  ['tokens create CI', '"CI" is one too many'],
  ['tokens create --expires tomorrow', '--expires must be a date such as 2027-01-31, not "tomorrow"'],
  ['tokens revoke', '<token id> is missing'],
])('%s is refused with how it is used', async (args, sentence) => {
  const refused = run(args, { LANDFALL_TOKEN: TOKEN });
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(sentence);
});

it.each(['apps', 'keys', 'domains', 'plans', 'pushes', 'users', 'tokens'])('%s shows its actions', async (name) => {
  const lines: string[] = [];
  expect(await run(`${name} --help`, {}, (text) => lines.push(text))).toBe(0);
  const actions = lines.join().match(new RegExp(`^  ${name} [a-z]`, 'gm'));
  expect(actions?.length).toBeGreaterThan(1);
  // It is read on a terminal.
  for (const line of lines.join().split('\n')) expect(line.length, line).toBeLessThanOrEqual(128);
});

it('has a place in the documentation with everything that it can do', async () => {
  const file = new URL('../../../../docs/operations.md', import.meta.url);
  const documented = readFileSync(file, 'utf8').replaceAll('\\|', '|');
  for (const name of ['apps', 'keys', 'domains', 'plans', 'pushes', 'users', 'tokens']) {
    const lines: string[] = [];
    await run(`${name} --help`, {}, (text) => lines.push(text));
    const calls = [...lines.join().matchAll(new RegExp(`^  (${name} [a-z].*?)(?:   .*)?$`, 'gm'))].map(
      ([, call]) => call!,
    );
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) expect(documented).toContain(`\`${call}\``);
  }
});

it.each([
  [
    { LANDFALL_TOKEN: TOKEN },
    /^http:\/\/localhost:2 cannot be reached \(.*ECONNREFUSED.*\): start Landfall, or set LANDFALL_URL\.$/,
  ],
  [{ LANDFALL_TOKEN: TOKEN, LANDFALL_URL: 'http://192.0.2.1' }, /would travel to 192\.0\.2\.1 in the clear/],
  [
    { LANDFALL_TOKEN: TOKEN, PUBLIC_URL: 'http://nobody.invalid' },
    /would travel to nobody\.invalid in the clear, or there is no such host/,
  ],
  [{ LANDFALL_TOKEN: TOKEN, LANDFALL_URL: 'localhost:8080' }, /^LANDFALL_URL must be an http or https URL/],
  [{ LANDFALL_TOKEN: TOKEN, LANDFALL_TOKEN_FILE: '/nowhere' }, /^LANDFALL_TOKEN and LANDFALL_TOKEN_FILE are both set/],
  [{ LANDFALL_TOKEN_FILE: '/nowhere' }, /^LANDFALL_TOKEN_FILE names \/nowhere, which cannot be read/],
  [{}, /^There is no token to manage with/],
])('says what is in the way: %o', async (env, sentence) => {
  const refused = run('apps list', env);
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.not.toThrow(TOKEN);
});
