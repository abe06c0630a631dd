// How large a package is in an app: bundled and minified by the bundler of the web app, and compressed.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

interface Bundler {
  build(options: object): Promise<{ readonly output: readonly { readonly code?: string }[] }>;
}

const root = path.join(import.meta.dirname, '../../../..');

/**
 * Returns bytes.
 * @param file what an app imports
 * @param external modules that an app has anyway
 */
export async function gzipSizeOf(file: string, external: readonly string[] = []): Promise<number> {
  const ofDashboard = createRequire(path.join(root, 'apps/dashboard/package.json'));
  const ofVite = createRequire(ofDashboard.resolve('vite'));
  const { build } = (await import(pathToFileURL(ofVite.resolve('rolldown')).href)) as Bundler;
  const { output } = await build({
    input: file,
    external,
    write: false,
    logLevel: 'silent',
    transform: { target: 'es2019' },
    output: { format: 'esm', minify: true },
  });
  return gzipSync(output.map(({ code = '' }) => code).join(''), { level: 9 }).length;
}
