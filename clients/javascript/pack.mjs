// Builds the packages and packs them as people get them: `npm run clients`. They come into .cache/clients/packed.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const packed = path.join(root, '.cache/clients/packed');
const { config } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const pnpm = path.join(root, `.cache/pnpm-${config.pnpm}/node_modules/pnpm/bin/pnpm.cjs`);

run([path.join(here, 'build.mjs')], root);
rmSync(packed, { recursive: true, force: true });
mkdirSync(packed, { recursive: true });
for (const manifest of globSync('*/package.json', { cwd: here }).sort())
  run([pnpm, 'pack', '--pack-destination', packed], path.join(here, path.dirname(manifest)));
for (const file of globSync('*.tgz', { cwd: packed }).sort())
  console.log(path.relative(process.cwd(), path.join(packed, file)));

/** Each package has a hundred files. What is said of them is of use when a step fails. */
function run(args, cwd) {
  const { status, stdout } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  if (status === 0) return;
  process.stdout.write(stdout);
  process.exit(status ?? 1);
}
