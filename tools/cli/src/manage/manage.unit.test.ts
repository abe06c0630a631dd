// Calls of commands that use the management API. A wrong call is refused before any request.
import { expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { runCommand } from '../commands.ts';

const TOKEN = `lf_${'0'.repeat(32)}`;
const run = (args: string, env: NodeJS.ProcessEnv = {}, print: (text: string) => void = () => {}) =>
  // No server listens on this port.
  runCommand(args === '' ? [] : args.split(' '), { LANDFALL_DATA: '/nowhere', PORT: '2', ...env }, print);

// The test of the documentation compares the arguments and options of all of them.
it.each([
  ['apps', 'It is used like this'],
  ['apps sing', "Unknown command 'sing'. It is used like this"],
  ['apps list --all --archived', "Option '--archived' cannot be used with option '--all'"],
  ['apps create Shop', "Required option '--subdomain <label>' not specified"],
  ['keys rotate --app shop', "Missing required argument 'key id'"],
  ['plans set --app shop --name free --links many', '--links must be a number or "unlimited", not "many"'],
  ['tokens create CI', "Too many arguments for 'create'"],
  ['tokens create --expires tomorrow', '--expires must be a date such as 2027-01-31, not "tomorrow"'],
])('%s is refused with how it is used', async (args, sentence) => {
  const refused = run(args, { LANDFALL_TOKEN: TOKEN });
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(sentence);
});

const RESOURCES = ['apps', 'keys', 'domains', 'plans', 'pushes', 'users', 'tokens'];

it.each(RESOURCES)('%s shows its actions', async (name) => {
  const lines: string[] = [];
  expect(await run(`${name} --help`, {}, (text) => lines.push(text))).toBe(0);
  const actions = lines.join().match(new RegExp(`^  ${name} [a-z]`, 'gm'));
  expect(actions?.length).toBeGreaterThan(1);
  // People read the help on a terminal.
  for (const line of lines.join().split('\n')) expect(line.length, line).toBeLessThanOrEqual(128);
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
