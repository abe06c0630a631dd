// Prepares the clone, then runs the program in our place: its output is ours, its exit code too, and signals are its.
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
    // Ctrl-C reaches every process of the terminal; a second one would mean "at once" to some programs.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  });
}

// npm tells its shell of a signal, and not what that runs: when who started us is gone, we are meant.
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
  // A system's error says what happened, but not to whom.
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
    // Programs that the program starts with "node" get the same Node.
    env: {
      // Compiled modules are kept, for this program and those that it starts: each starts in half the time.
      NODE_COMPILE_CACHE: path.join(root, '.cache/compile'),
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

/** Our parent; and where that is the shell that npm made for us, also npm, which may die before it. */
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
