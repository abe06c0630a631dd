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
  const child = execFile(process.execPath, [program], (err, folder, stderr) => {
    if (child.killed) return;
    found = err ? { state: 'failed' } : { state: 'built', folder };
    if (err) log.error({ err, stderr }, 'the web app could not be built: its pages are not served, and the API is');
    else log.debug({ folder, ms: Math.round(performance.now() - begun) }, 'the web app is built');
  });
  return {
    find: () => found,
    async stop() {
      child.kill();
    },
  };
}
