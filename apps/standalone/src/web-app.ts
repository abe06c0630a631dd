// Builds the web app beside the start, in a process of its own, so that the API answers at once.
import { execFile } from 'node:child_process';
import path from 'node:path';
import type { WebApp } from '@landfall/console';
import type { Logger, Running } from '@landfall/runtime';

const program = path.resolve(import.meta.dirname, '../../dashboard/build/main.ts');

/** It takes a few seconds after a change of the app's sources, and a moment otherwise. */
export function buildInBackground(log: Logger): WebApp & Running {
  let found: ReturnType<WebApp['find']> = { state: 'building' };
  const begun = performance.now();
  const child = execFile(process.execPath, [program], (err, _, stderr) => {
    if (child.killed || !err) return;
    if (found.state === 'built') {
      log.error({ err, stderr }, 'the clients could not be packed: they are not served, and all else is');
      return;
    }
    found = { state: 'failed' };
    log.error({ err, stderr }, 'the web app could not be built: its pages are not served, and the API is');
  });
  // The program goes on: it packs the clients.
  child.stdout?.once('data', (folder: string) => {
    found = { state: 'built', folder };
    log.debug({ folder, ms: Math.round(performance.now() - begun) }, 'the web app is built');
  });
  return {
    find: () => found,
    async stop() {
      child.kill();
    },
  };
}
