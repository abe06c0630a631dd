// Prepares the clone, then runs the program. This process passes on the output and the exit code of the program, and
// sends it the signals.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { prepare } from './install.mjs';
import { progress } from './progress.mjs';
import { root } from './stamp.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0);

let child;
for (const signal of signals) {
  process.on(signal, () => {
    if (!child) return end(exitCodeOf(signal));
    // Ctrl-C reaches every process of the terminal. Some programs take a second signal as "stop at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  });
}

// npm sends a signal to its shell, and not to the program in that shell. When the process that started this one is
// gone, this process must stop, too.
const starter = whoStartedUs();
setInterval(() => {
  if (whoStartedUs() === starter) return;
  if (child) child.kill('SIGTERM');
  else end(exitCodeOf('SIGTERM'));
}, 500).unref();

try {
  const node = await prepare();
  progress.clear();
  run(node);
} catch (error) {
  progress.clear();
  // The message of a system error says what happened, but not where.
  const own = !error.code;
  console.error(
    own
      ? error.message
      : `This folder could not be prepared (${error.message}): see that it is yours, and start again.`,
  );
  end(1);
}

function run(node) {
  const args = process.argv.slice(2);
  const file = args.find((arg) => !arg.startsWith('-'));
  if (!file) {
    console.error('Which program? node scripts/boot.mjs [NODE FLAGS...] FILE [ARGS...]');
    end(1);
  }
  child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    // Programs that this program starts with "node" use the same Node.
    env: {
      // Keeps compiled modules for this program and the programs that it starts. Each then starts in half the time.
      NODE_COMPILE_CACHE: path.join(root, '.cache/compile'),
      // glibc returns freed memory after a peak. Otherwise one peak keeps its memory for ever.
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '131072',
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    },
  });
  child.once('error', (error) => {
    console.error(`${file} could not be started with ${node}: ${error.message}`);
    end(1);
  });
  child.once('exit', (code, signal) => end(signal ? exitCodeOf(signal) : code));
}

/**
 * Returns the parent process. When the parent is the shell that npm started, it also returns the parent of the shell,
 * which is npm. npm may end before the shell.
 */
function whoStartedUs() {
  if (!process.env.npm_lifecycle_event || process.platform !== 'linux') return String(process.ppid);
  try {
    const command = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8');
    if (!command.includes('boot.mjs')) return String(process.ppid);
    const afterName = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1);
    return `${process.ppid} of ${afterName.split(' ')[1]}`;
  } catch {
    return String(process.ppid);
  }
}

function end(code) {
  progress.clear();
  process.exit(code);
}
