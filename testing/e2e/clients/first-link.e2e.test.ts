// The code for backends that the set-up page shows, against the product.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newDevice, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();
const made = await calls.change(post(`/api/manage/apps/${app.app.id}/keys`, { kind: 'server' }));
const key: string = made.json.plaintext;

async function run(file: string, program: string, args: string[]): Promise<string> {
  const code = readFileSync(path.join(import.meta.dirname, '../../../examples/invite-backend', file), 'utf8')
    .replaceAll('https://api.example', `http://127.0.0.1:${system.port}`)
    .replaceAll('ol_…', key);
  // The client is found from here.
  const options = { cwd: import.meta.dirname, env: { ...process.env, LANDFALL_KEY: key } };
  const { stdout } = await promisify(execFile)(program, [...args, code], options);
  return stdout;
}

it.each([
  ['first-link.mjs', process.execPath, ['--input-type=module', '--eval']],
  ['first-link.sh', 'sh', ['-c']],
])('%s makes three links, and the first one survives the install', async (file, program, args) => {
  const links = (await run(file, program, args)).match(/https?:\/\/[^"\s]+/g) ?? [];
  expect(new Set(links).size).toBe(3);
  const { ip, body } = newDevice();
  await calls.tap(links[0]!, { ip });
  const restored = await calls.restore(app, body, { ip });
  expect(restored.json.restoredLinks).toMatchObject([{ destination: '/invite?code=42', metadata: { inviter: 'Ann' } }]);
});
