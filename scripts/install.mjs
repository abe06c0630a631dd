// Prepares a clone so that it can run. Installs Node 24, if the current Node is older, and the dependencies.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginLog, npm, program } from './npm.mjs';
import { progress } from './progress.mjs';
import { installed, root, unmarkInstalled } from './stamp.mjs';

const versions = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).config;
const windows = process.platform === 'win32';
const cache = path.join(root, '.cache');

/**
 * Installs missing parts, and returns the path of the Node to run with. Throws an error whose message is one sentence
 * for the user.
 */
export async function prepare() {
  // The web app cannot be built there: its tools take paths of files for URLs, and write them between quotes.
  if (/[#?']/.test(root)) {
    throw new Error(
      `Landfall cannot run in ${root}, because the path contains #, ? or ': move the folder, and start again.`,
    );
  }
  if (findNode() && installed()) return findNode();
  mkdirSync(cache, { recursive: true });
  const release = await takeTurn();
  try {
    beginLog();
    await Promise.all([findNode() ? undefined : fetchNode(), installed() ? undefined : installDependencies()]);
  } finally {
    release();
  }
  return findNode();
}

/**
 * Returns the path of this Node when it is new enough, else the path of the fetched Node. Returns undefined when there
 * is none yet.
 */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const { binary } = fetchedNode();
  return existsSync(binary) ? binary : undefined;
}

/** Returns the npm package of the Node binary for this platform, and its paths. */
function fetchedNode() {
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(cache, `node-${versions.node}`);
  const inside = path.join('node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  return { name, folder, inside, binary: path.join(folder, inside) };
}

/** The platforms for which a Node package can be fetched. */
const fetchable = ['linux-x64', 'linux-arm64', 'win32-x64'];

async function fetchNode() {
  const { name, folder, inside } = fetchedNode();
  const needed = `Landfall runs on Node 24 or newer, and this is ${process.version}`;
  if (!fetchable.includes(`${process.platform}-${process.arch}`)) {
    throw new Error(`${needed}: install Node 24, and start again.`);
  }
  const step = `Fetching Node ${versions.node}`;
  progress.set(step, `${step} …`);
  await fetchTool(step, 'node', folder, (fetched) => {
    // The packages of all platforms are optional to npm. So npm continues without a package whose hash is wrong.
    if (!existsSync(path.join(fetched, inside))) {
      throw new Error(
        `${needed}; ${name} could not be fetched with the hash that this repository expects (see .cache/install.log): install Node 24, and start again.`,
      );
    }
    if (spawnSync(path.join(fetched, inside), ['--version']).status !== 0) {
      throw new Error(
        `${needed}; the one that was fetched does not run on this machine: install Node 24, and start again.`,
      );
    }
  });
  progress.set(step);
}

/**
 * Installs the packages that a lockfile of this repository names. Does not install a package with another hash. Uses a
 * separate folder until they are complete and `check` accepts them, so that an interrupted download never counts as a tool.
 */
async function fetchTool(step, tool, folder, check = () => {}) {
  const half = `${folder}.new`;
  rmSync(half, { recursive: true, force: true });
  cpSync(path.join(root, 'scripts/tools', tool), half, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await npm(step, ['ci', '--prefix', half, ...flags]);
  check(half);
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
}

/** Returns the path of the pnpm for the installation. Fetches pnpm first if it is missing. */
async function findPnpm(step) {
  const folder = path.join(cache, `pnpm-${versions.pnpm}`);
  const inside = 'node_modules/pnpm/bin/pnpm.cjs';
  if (!existsSync(path.join(folder, inside))) await fetchTool(step, 'pnpm', folder);
  return path.join(folder, inside);
}

async function installDependencies() {
  const step = 'Installing dependencies';
  progress.set(step, `${step} …`);
  unmarkInstalled();
  const pnpm = ['install', '--frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only'];
  // These flags override NODE_ENV and the user's npm settings. All dependencies are needed, and pnpm-workspace.yaml
  // names the packages whose scripts run.
  pnpm.push('--prod=false', '--config.ignore-scripts=false');
  let total = 0;
  await program(step, [await findPnpm(step), ...pnpm], (line) => {
    const [, resolved, added] = /Progress: resolved (\d+),.* added (\d+)/.exec(line) ?? [];
    // Ignores the first line, because pnpm has not read the packages yet.
    if (!(resolved > 1)) return;
    total = Math.max(total, Number(resolved));
    progress.set(step, `${step} … ${added} of ${total}`);
  });
  progress.set(step);
}

const aliveMs = 5_000;

/**
 * Two starts in one clone install one after the other. The start whose turn it is updates the file every second. So
 * other starts do not wait for a start that was killed.
 */
async function takeTurn() {
  const file = path.join(cache, 'installing');
  const step = 'Waiting for another start to finish installing';
  while (!tryCreate(file)) {
    progress.set(step, `${step} …`);
    if (ageMs(file) > aliveMs) rmSync(file, { force: true });
    await sleep(200);
  }
  progress.set(step);
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // The folder was deleted during the installation. npm reports it.
    }
  }, 1_000);
  const release = () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

function tryCreate(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function ageMs(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : 0;
}
