// The commands `backup` and `restore`: the file, the secrets beside the database, and what the operator reads.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { runCommand } from '../commands.ts';

let folder: string;
let from: TestDatabase;
let to: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'landfall-backup-'));
  [from, to] = (await Promise.all([0, 1].map(() => createTestDatabase(inject('databaseServerUrl'))))) as [
    TestDatabase,
    TestDatabase,
  ];
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([from.drop(), to.drop()]);
});

const inFolder = (name: string) => path.join(folder, name);
const demos = async (url: string, ...statements: string[]) => {
  const database = connect({ url, max: 1 });
  for (const text of statements) await database.rows(text);
  const rows = await database.rows('select options from analytics.demos');
  await database.close();
  return rows;
};

async function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const [said, noted]: [string[], string[]] = [[], []];
  await runCommand(
    args,
    env,
    (text) => said.push(text),
    (text) => noted.push(text),
  );
  return { said: said.join('\n'), noted: noted.join('\n') };
}

const row = `insert into analytics.demos values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', '{"a": "ü\\n"}')`;

it('carries the rows and both secrets to another installation', async () => {
  const rows = await demos(from.url, row);
  writeFileSync(inFolder('hash'), 'the hash secret\n');
  writeFileSync(inFolder('seal'), 'the seal secret\n');
  const file = inFolder('a.backup');
  writeFileSync(file, 'of yesterday', { mode: 0o644 });
  const source = { DATABASE_URL: from.url, HASH_SECRET_FILE: inFolder('hash'), SEAL_SECRET_FILE: inFolder('seal') };
  expect(await run(source, 'backup', file)).toMatchObject({
    said: expect.stringMatching(/^Wrote .*a\.backup: \d+ tables with \d+ rows/),
    noted: expect.not.stringContaining('does not hold'),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  writeFileSync(inFolder('other-hash'), 'x', { mode: 0o400 });
  const target = { DATABASE_URL: to.url, HASH_SECRET_FILE: inFolder('other-hash'), SEAL_SECRET: 'another' };
  const { said, noted } = await run(target, 'restore', file);
  expect(said).toMatch(/^Restored .*a\.backup of .*, each compared with the backup\.$/);
  expect(noted).toContain('SEAL_SECRET in the environment is not the value of the backup');
  expect(await demos(to.url)).toEqual(rows);
  expect(readFileSync(inFolder('other-hash'), 'utf8')).toBe('the hash secret\n');
  expect(statSync(inFolder('other-hash')).mode & 0o777).toBe(0o400);
  expect(readdirSync(folder).sort()).toEqual(['a.backup', 'hash', 'other-hash', 'seal']);
});

it('names the secrets that it could not read', async () => {
  const env = { DATABASE_URL: from.url, LANDFALL_DATA: inFolder('none'), HASH_SECRET: 'in the environment' };
  const { noted } = await run(env, 'backup', inFolder('a.backup'));
  expect(noted).toBe('It does not hold HASH_SECRET and SEAL_SECRET: keep the values beside it.');
});

it('leaves the file of yesterday, and the secrets, when something fails', async () => {
  const file = inFolder('a.backup');
  writeFileSync(file, 'of yesterday');
  writeFileSync(inFolder('hash-secret'), 'mine');
  const nowhere = { DATABASE_URL: 'postgresql://127.0.0.1:1/nothing', LANDFALL_DATA: folder };
  await expect(run(nowhere, 'backup', file)).rejects.toThrow(/^There is no backup: .*ECONNREFUSED.*\.$/);
  const here = { DATABASE_URL: to.url, LANDFALL_DATA: folder };
  await expect(run(here, 'restore', file)).rejects.toThrow(
    /^Nothing was restored, and the data are as they were: the file is no backup/,
  );
  await expect(run(here, 'restore', inFolder('none'))).rejects.toThrow('ENOENT');
  await expect(run({ LANDFALL_DATA: inFolder('none') }, 'backup', file)).rejects.toThrow('There is nothing to back up');
  expect(readdirSync(folder).sort()).toEqual(['a.backup', 'hash-secret']);
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');
});
