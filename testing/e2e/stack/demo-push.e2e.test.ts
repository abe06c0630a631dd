// Checks the output of `npm run demo:push`, as a new user sees it.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemEnv } from '@landfall/local';
import { expect, it } from 'vitest';

const demo = 'testing/testkit/src/push/demo.ts';

it('shows a push sent, opened and counted, with nothing set up', { timeout: 60_000 }, async () => {
  const cwd = path.resolve(import.meta.dirname, '../../..');
  const env = systemEnv();
  const { stdout } = await promisify(execFile)(process.execPath, [demo], { cwd, env });
  expect(stdout.match(/the server took them/g)).toHaveLength(2);
  expect(stdout.match(/: \{.*"destinationPath":"\/orders\/7"/g)).toHaveLength(3);
  expect(stdout).toContain('a phone that has deleted the app: nothing, its token is dead');
  expect(stdout).toContain('{"queued":0,"sent":3,"failed":1,"unknown":0,"logged":0,"opened":2,"stopped":0}');
  expect(stdout).toContain('the next push goes to 3 devices');
});
