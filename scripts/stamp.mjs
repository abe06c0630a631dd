// Checks whether the installed packages belong to the files that they were installed from.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const stamp = path.join(root, 'node_modules', '.installed');
const generated = path.join(root, 'packages/db/src/generated/client.ts');

/** Returns a hash of everything that an installation depends on. */
function wanted() {
  const schema = readdirSync(path.join(root, 'prisma')).filter((name) => name.endsWith('.prisma'));
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.pnpmfile.cjs',
    ...schema.sort().map((name) => `prisma/${name}`),
  ];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

export function installed() {
  return existsSync(stamp) && existsSync(generated) && readFileSync(stamp, 'utf8') === wanted();
}

/** Marks the installation as complete. Call this last. */
export function markInstalled() {
  writeFileSync(stamp, wanted());
}

/**
 * Removes the mark of a complete installation. Call this before an installation, because an interrupted installation
 * must not look complete.
 */
export function unmarkInstalled() {
  rmSync(stamp, { force: true });
}
