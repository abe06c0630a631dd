// Builds the packages and packs them as people get them: `npm run clients [-- FOLDER]`. They come into the folder, or into
// .cache/clients/packed.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const packed = path.resolve(process.argv[2] ?? path.join(root, '.cache/clients/packed'));
// Not in the clone: another program may build there at the same time.
const work = mkdtempSync(path.join(tmpdir(), 'landfall-clients-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

run(process.execPath, [path.join(here, 'build.mjs'), '--to', work]);
const folders = globSync('*/package.json', { cwd: here }).map(path.dirname).sort();
for (const folder of folders) complete(folder);
// On Windows npm is a shell script.
const shell = process.platform === 'win32';
run('npm', ['pack', '--loglevel=error', '--no-update-notifier', ...folders.map((folder) => `./${folder}`)], shell);

mkdirSync(packed, { recursive: true });
for (const old of globSync('landfall-*.tgz', { cwd: packed })) rmSync(path.join(packed, old));
for (const file of globSync('*.tgz', { cwd: work }).sort()) {
  cpSync(path.join(work, file), path.join(packed, file));
  console.log(path.relative(process.cwd(), path.join(packed, file)));
}

/** Puts beside the built code what else is in the package. npm knows neither `publishConfig` nor `workspace:`. */
function complete(folder) {
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(path.join(here, folder, 'package.json'), 'utf8'));
  const text = JSON.stringify({ ...manifest, ...publishConfig }, null, 2).replaceAll('"workspace:', '"');
  writeFileSync(path.join(work, folder, 'package.json'), `${text}\n`);
  cpSync(path.join(root, 'LICENSE'), path.join(work, folder, 'LICENSE'));
  for (const file of manifest.files.filter((name) => name !== 'dist'))
    cpSync(path.join(here, folder, file), path.join(work, folder, file));
}

/** Each package has a hundred files. What is said of them is of use when a step fails. */
function run(command, args, shell = false) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: work,
    shell,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return;
  console.error(error?.message ?? stdout);
  process.exit(status ?? 1);
}
