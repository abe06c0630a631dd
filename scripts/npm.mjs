// Runs npm and pnpm quietly. Their output goes to a log. A failure becomes one sentence that tells the user what to do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './stamp.mjs';

const windows = process.platform === 'win32';
const logName = path.join('.cache', 'install.log');
const log = path.join(root, logName);
/**
 * Limits for the wait for the first byte of an answer. By default npm waits for minutes when a registry accepts a
 * connection and does not answer.
 */
const patience = {
  npm_config_fetch_timeout: '20000',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '3000',
  npm_config_update_notifier: 'false',
};
/**
 * Milliseconds without a line of output after which the program is ended. pnpm does not notice a download that stops in
 * the middle.
 */
const silenceMs = 300_000;

const running = new Set();
// Each child has its own process group, with all processes that it starts. The group ends when this process ends.
process.on('exit', () => {
  for (const child of running) end(child);
});

/** Starts the log of one installation. */
export const beginLog = () => note('', 'w');

/** Runs npm, and resolves when it succeeds. Throws an error whose message is one sentence about `step`. */
export const npm = (step, args) => quietly(step, 'npm', args, () => {});

/** Runs a program under Node in the same way. Passes each line of its output to `onLine`. */
export const program = (step, args, onLine) => quietly(step, process.execPath, args, onLine);

async function quietly(step, command, args, onLine) {
  const child = spawn(command, args, {
    cwd: root,
    // On Windows npm is a shell script.
    shell: windows && command === 'npm',
    detached: !windows,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...patience, ...process.env },
  });
  running.add(child);
  note(`${step}: ${command} ${args.join(' ')}\n`);
  let output = '';
  const late = setTimeout(() => {
    output += '\nETIMEDOUT: no output for too long\n';
    end(child);
  }, silenceMs);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      late.refresh();
      note(`${step}: ${line}\n`);
      output = `${output}${line}\n`.slice(-100_000);
      onLine(line);
    });
  }
  try {
    const [code] = await once(child, 'close').catch((error) => {
      throw new Error(`${step} failed: ${error.code === 'ENOENT' ? noNpm : error.message}`);
    });
    if (code !== 0) throw new Error(sentence(step, output));
  } finally {
    clearTimeout(late);
    running.delete(child);
  }
}

const noNpm = 'there is no npm, which comes with Node: install it, and start again.';
const online = 'see that the network, the proxy and "npm config get registry" are right, and start again';

/**
 * The reasons for a failure. The first pattern that matches the output gives the reason. The text in the brackets of
 * the pattern is shown.
 */
const reasons = [
  [
    /\bEINTEGRITY\b/,
    'what the package registry sent is not what this repository expects',
    'see that "npm config get registry" is right, and do not run what came',
  ],
  [/ENOSPC|no space left/i, 'the disk is full', 'free some space, and start again'],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    'pnpm-lock.yaml does not fit the package.json files',
    'run "pnpm install" and commit it',
  ],
  [/(?:code E|ERR_PNPM_FETCH_)([45]\d\d)\b/, 'the package registry answered with an error', online],
  [
    /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+|EPROTO)\b/,
    "the package registry's certificate is not trusted",
    online,
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|E\w*TIMEDOUT|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|network timeout|socket hang up)\b/,
    'the package registry does not answer',
    online,
  ],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    'a file may not be written',
    "see that this folder and npm's cache are yours, and start again",
  ],
];

function sentence(step, output) {
  for (const [pattern, reason, advice] of reasons) {
    const found = pattern.exec(output);
    if (!found) continue;
    const shown = found[1] ? ` (${found[1]})` : '';
    return `${step} failed because ${reason}${shown}: ${advice} (all output: ${logName}).`;
  }
  return `${step} failed: the reason is in ${logName}; start again when it is mended.`;
}

function end(child) {
  try {
    if (windows) child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  } catch {
    // The child has already ended.
  }
}

/** Writes to the log. Continues when the log cannot be written: a full disk has its own sentence. */
function note(text, flag = 'a') {
  try {
    writeFileSync(log, text, { flag });
  } catch {
    // The comment of this function gives the reason.
  }
}
