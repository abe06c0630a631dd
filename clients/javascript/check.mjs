// Checks the packages as people get them: builds and packs all, lets publint and @arethetypeswrong look at them, compares
// their sizes with their bounds, and tests React Native's in an app of its own. `node scripts/boot.mjs
// clients/javascript/check.mjs`. Needs a registry of npm at the first time.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSizeOf } from './client/src/size.testing.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const packed = path.join(root, '.cache/clients/packed');

/** KB, gzip, minified, with the packages of ours that it needs. */
const BOUNDS = { client: 8, 'react-native': 14, web: 3 };
const TOOLS = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' };

/** The packages of the app are those of this day, so that no lockfile with 700 of them is needed. */
const BEFORE = '2026-11-25';

const faults = [];
const folders = readdirSync(here).filter((name) => existsSync(path.join(here, name, 'package.json')));

run('build and pack', [path.join(here, 'pack.mjs')]);
// What is left of an earlier build would hide the fault.
if (faults.length > 0) process.exit(1);

const tools = path.join(root, '.cache/clients/tools');
if (!existsSync(path.join(tools, 'node_modules/publint'))) {
  const names = Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`);
  npm('tools', ['install', '--prefix', tools, '--no-save', '--no-package-lock', '--ignore-scripts', ...names], root);
}
for (const folder of folders) {
  const file = tarballOf(folder);
  const list = spawnSync('tar', ['-tf', path.basename(file)], { cwd: packed, encoding: 'utf8' });
  for (const name of ['dist/esm/index.js', 'dist/esm/index.d.ts', 'dist/cjs/index.js', 'dist/cjs/index.d.ts'])
    if (!list.stdout?.includes(`package/${name}`)) faults.push(`${folder} is packed without ${name}`);
  run(`publint ${folder}`, [path.join(tools, 'node_modules/publint/src/cli.js'), file, '--strict']);
  const attw = path.join(tools, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  // The plugin of Expo has no types: a JSON file names it.
  run(`types ${folder}`, [attw, file, '--exclude-entrypoints', './app.plugin.js', '--format', 'ascii']);
}

const app = path.join(here, 'react-native/test-app');
// npm writes a list of what it has installed. What is older than the manifest is installed again.
const installed = path.join(app, 'node_modules/.package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(path.join(app, 'package.json')).mtimeMs)
  npm('app: its own packages', ['install', '--no-package-lock', '--before', BEFORE, '--ignore-scripts'], app);
const ours = Object.keys(BOUNDS).map(tarballOf);
npm('app: ours', ['install', '--no-save', '--no-package-lock', ...ours], app);
run('app: jest', [path.join(app, 'node_modules/jest/bin/jest.js'), '--ci'], app);

for (const [folder, bound] of Object.entries(BOUNDS)) {
  const bytes = await gzipSizeOf(path.join(app, 'node_modules/@landfall', folder, 'dist/esm/index.js'), [
    'react',
    'react-native',
  ]);
  console.log(`size ${folder}: ${(bytes / 1024).toFixed(2)} KB of ${bound}`);
  if (bytes > bound * 1024) faults.push(`${folder} is too large`);
}

for (const fault of faults) console.error(`failed: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function tarballOf(folder) {
  return path.join(packed, readdirSync(packed).find((name) => name.startsWith(`landfall-${folder}-`)) ?? 'none');
}

function npm(what, args, cwd) {
  // On Windows npm is a shell script.
  const shell = process.platform === 'win32';
  report(what, spawnSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, shell, encoding: 'utf8' }));
}

function run(what, args, cwd = root) {
  report(what, spawnSync(process.execPath, args, { cwd, encoding: 'utf8' }));
}

function report(what, { status, stdout, stderr }) {
  console.log(`${what}: ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status === 0) return;
  faults.push(what);
  console.error(stdout + stderr);
}
