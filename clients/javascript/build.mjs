// Builds packages of this folder with tsc: `node scripts/boot.mjs clients/javascript/build.mjs [--to FOLDER] [PACKAGE...]`.
// Without a name it builds all. `dist/esm` is for `import`, `dist/cjs` for `require`, both with types. `dist` comes beside
// `src`, or with `--to` into a folder of the package's name there. A package may have a tsconfig.build.json of its own, for
// other libraries of types. Packages that it needs are built before it, and the types of the management API before node.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const tsc = path.join(here, '../../node_modules/typescript/bin/tsc');
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The folder of each package, by its name. */
const folders = new Map(
  globSync('*/package.json', { cwd: here }).map((file) => [json(path.join(here, file)).name, path.dirname(file)]),
);
const needsOf = (folder) =>
  Object.keys(json(path.join(here, folder, 'package.json')).dependencies ?? {}).filter((name) => folders.has(name));

const built = new Set();
const { values, positionals: asked } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true });
const to = values.to ?? here;
for (const folder of asked.length > 0 ? asked : [...folders.values()].sort()) build(folder);

function build(folder) {
  if (built.has(folder)) return;
  built.add(folder);
  for (const name of needsOf(folder)) build(folders.get(name));
  rmSync(path.join(to, folder, 'dist'), { recursive: true, force: true });
  // They are not committed.
  if (folder === 'node') run([path.join(here, '../../apps/standalone/src/docs/write-types.ts')]);
  for (const format of ['esm', 'cjs']) compile(folder, format);
  console.log(`built ${folder}`);
}

function compile(folder, format) {
  const home = path.join(here, folder);
  const out = path.join(to, folder, 'dist', format);
  const own = path.join(home, 'tsconfig.build.json');
  const config = path.join(to, folder, '.cache', `tsconfig.${format}.json`);
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      extends: existsSync(own) ? own : path.join(here, 'tsconfig.build.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: path.join(home, 'src'),
        outDir: out,
        // Older engines of React Native know no later syntax.
        target: 'es2019',
        module: format === 'esm' ? 'esnext' : 'commonjs',
        moduleResolution: 'bundler',
        // A file with `import` may become one with `require`.
        verbatimModuleSyntax: false,
        isolatedModules: true,
        // In the workspace the name of a package is its source, which would become a part of this one.
        paths: Object.fromEntries(
          needsOf(folder).map((name) => [name, [path.join(to, folders.get(name), 'dist', format, 'index.d.ts')]]),
        ),
      },
      include: [path.join(home, 'src')],
      exclude: [path.join(home, 'src/**/*.test.ts'), path.join(home, 'src/**/*.testing.ts')],
    }),
  );
  run([tsc, '-p', config]);
  writeFileSync(path.join(out, 'package.json'), `{ "type": "${format === 'esm' ? 'module' : 'commonjs'}" }\n`);
  // tsc leaves `./file.ts` in declarations. It finds the file there, and some editors do not.
  for (const name of globSync('**/*.d.ts', { cwd: out })) {
    const file = path.join(out, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
  }
}

function run(args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
