// Builds the web app into a folder that is named after its sources, so that an unchanged app is built once. The packages of
// the clients for JavaScript are a part of it.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesOfCode } from './set-up-code.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const kept = path.join(root, '.cache/dashboard');
const unfinished = path.join(root, '.cache/dashboard-unfinished');
const sources = [
  'apps/dashboard/{index.html,share.html,package.json,tsconfig.json,vite.config.ts}',
  'apps/dashboard/{build,src}/**/*',
  'packages/api-client/src/**/*',
  // The guides are pages of the web app.
  'docs/{README,operations,scaling}.md',
  'docs/{guides,reference,explanation,images}/**/*',
  // The packed clients. The types of the API that one contains are not asked: each change of the API would build all again.
  'clients/javascript/{build.mjs,pack.mjs,tsconfig.build.json}',
  'clients/javascript/*/{README.md,app.plugin.js,package.json,tsconfig.build.json}',
  'clients/javascript/*/src/**/*',
  'pnpm-lock.yaml',
  ...filesOfCode,
];

export async function builtWebApp(): Promise<string> {
  const folder = await builtPages();
  await packClients(folder);
  return folder;
}

/** Nobody waits for the clients before the pages are shown, so `packClients` is called after this. */
export async function builtPages(): Promise<string> {
  const folder = path.join(kept, versionOfSources());
  if (existsSync(folder)) return folder;
  // Another build may run at the same time, also in this process: a build empties its folder first.
  const built = path.join(unfinished, randomUUID());
  await buildPages(built);
  await mkdir(kept, { recursive: true });
  await moved(built, folder);
  await removeOthers(folder);
  return folder;
}

async function moved(built: string, folder: string): Promise<void> {
  await rename(built, folder).catch(async (error) => {
    await rm(built, { recursive: true, force: true });
    // Another process has finished the same build.
    if (!existsSync(folder)) throw error;
  });
}

/** Builds the pages into the folder, with a compressed copy beside each file. */
export async function buildPages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { build } = await import('vite');
  await build({
    root: path.join(root, 'apps/dashboard'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files.filter((file) => /\.(js|css|svg)$/.test(file)).map((file) => compress(path.join(folder, file))),
  );
}

/** Packs the clients for JavaScript into `clients/` of a built web app, unless they are there. */
export async function packClients(webApp: string): Promise<void> {
  const folder = path.join(webApp, 'clients');
  if (existsSync(folder)) return;
  const packed = path.join(webApp, `unfinished-${randomUUID()}`);
  await promisify(execFile)(process.execPath, [path.join(root, 'clients/javascript/pack.mjs'), packed]);
  await moved(packed, folder);
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await Promise.all([
    promisify(gzip)(plain, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
    promisify(brotliCompress)(plain, { params }).then((small) => writeFile(`${file}.br`, small)),
  ]);
}

function versionOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true, exclude: ['clients/javascript/*/src/generated'] })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 20);
}

/** Removes earlier builds. A process that still serves one has its index.html in memory, and asks for a reload. */
async function removeOthers(folder: string): Promise<void> {
  const names = await readdir(kept);
  const old = names.filter((name) => name !== path.basename(folder));
  await Promise.all(old.map((name) => rm(path.join(kept, name), { recursive: true, force: true })));
}
