// Runs npm quietly: its output goes to a log, and a failure becomes one sentence that says what to do.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './stamp.mjs';

const windows = process.platform === 'win32';
const logName = path.join('.cache', 'install.log');
const log = path.join(root, logName);
/** npm by itself would wait for minutes when a registry accepts and says nothing. These are for the first byte of an answer. */
const patience = {
  npm_config_fetch_timeout: '20000',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '3000',
  npm_config_update_notifier: 'false',
};
/** A download that stops in the middle: neither npm nor pnpm notices. In milliseconds without a line of output. */
const silenceMs = 300_000;

const running = new Set();
// It has a process group of its own, with everything that it starts, and that ends with us.
process.on('exit', () => {
  for (const child of running) end(child);
});

/** Begins the log of one installation. */
export function beginLog() {
  write('');
}

/** Resolves when npm succeeded. Throws an error whose message is one sentence about `step`. */
export function npm(step, args, onLine = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd: root,
      shell: windows,
      detached: !windows,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...patience, ...process.env },
    });
    running.add(child);
    note(`${step}: npm ${args.join(' ')}`);
    let output = '';
    const late = setTimeout(() => {
      output += '\nETIMEDOUT: no output for too long\n';
      end(child);
    }, silenceMs);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        late.refresh();
        note(`${step}: ${line}`);
        output = `${output}${line}\n`.slice(-100_000);
        onLine(line);
      });
    }
    child.once('error', (error) => {
      clearTimeout(late);
      running.delete(child);
      reject(
        new Error(
          error.code === 'ENOENT'
            ? `${step} failed: there is no npm, which comes with Node: install it, and start again.`
            : `${step} failed: ${error.message}`,
        ),
      );
    });
    child.once('close', (code) => {
      clearTimeout(late);
      running.delete(child);
      if (code === 0) resolve();
      else reject(new Error(sentence(step, output)));
    });
  });
}

const network =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ESOCKETTIMEDOUT|EIDLETIMEOUT)\b|network timeout|socket hang up/;
const certificate =
  /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+|EPROTO)\b/;
const refused = /\bcode E(4\d\d|5\d\d)\b|ERR_PNPM_FETCH_(\d\d\d)|\bE(HTTP)?(5\d\d)\b/;

function sentence(step, output) {
  const details = `(all output: ${logName})`;
  const status = refused.exec(output)?.slice(1).find(Boolean);
  const match = (pattern) => pattern.exec(output)?.[0];
  if (/ENOSPC|no space left/i.test(output))
    return `${step} failed because the disk is full: free some space, and start again ${details}.`;
  const denied = match(/\b(EACCES|EPERM|EROFS)\b[^\n]*/);
  if (/ERR_PNPM_OUTDATED_LOCKFILE/.test(output))
    return `${step} failed because pnpm-lock.yaml does not fit the package.json files: run "pnpm install" and commit the lockfile ${details}.`;
  const look = 'see that the network, the proxy and "npm config get registry" are right, and start again';
  if (status) return `${step} failed because the package registry answered with ${status}: ${look} ${details}.`;
  if (match(certificate))
    return `${step} failed because the package registry's certificate is not trusted (${match(certificate)}): ${look} ${details}.`;
  if (match(network))
    return `${step} failed because the package registry does not answer (${match(network)}): ${look} ${details}.`;
  if (denied)
    return `${step} failed because a file may not be written (${denied.trim()}): see that this folder and npm's cache are yours, and start again ${details}.`;
  return `${step} failed: the reason is in ${logName}; start again when it is mended.`;
}

function end(child) {
  try {
    if (windows) child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function note(line) {
  write(`${line}\n`, appendFileSync);
}

/** Without a log we go on: a full disk has its own sentence. */
function write(text, how = writeFileSync) {
  try {
    how(log, text);
  } catch {
    // See above.
  }
}
