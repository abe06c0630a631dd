// Reads the import graph of the repository from its files: which file imports what. Libraries that draw such graphs
// need a TypeScript whose compiler can be called from JavaScript. TypeScript 7 has no such compiler.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../..');

export interface Import {
  /**
   * A bare name (`zod`, `node:fs`), or a path from the root of the repository. The name of one of our packages is
   * replaced by the path of its file.
   */
  readonly from: string;
  readonly typeOnly: boolean;
}

export interface Room {
  readonly file: string;
  readonly source: string;
  readonly imports: readonly Import[];
}

const FILES = [
  '{packages,services,apps,examples,clients/javascript}/*/src/**/*.ts',
  'apps/dashboard/{src,build}/**/*.{ts,tsx}',
  'testing/*/src/**/*.ts',
  'testing/e2e/**/*.ts',
  'tools/*/src/**/*.ts',
];

/** Returns every source file of the repository, except generated files. */
export function readHouse(): Room[] {
  const files = globSync(FILES, { cwd: root, exclude: ['**/generated/**', '**/*.gen.ts', '**/node_modules/**'] });
  const entries = packageEntries();
  return [...new Set(files)].sort().map((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    return roomOf(file, source, entries);
  });
}

/** @param entries maps the import names of our packages to their files */
export function roomOf(file: string, source: string, entries: ReadonlyMap<string, string> = new Map()): Room {
  const statements = source.matchAll(/^(?:import|export)\s+(?:(type)\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  const dynamic = source.matchAll(/\b()import\(\s*['"]([^'"]+)['"]/g);
  const imports = [...statements, ...dynamic].map(([, type, from = '']) => ({
    from: from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : (entries.get(from) ?? from),
    typeOnly: type === 'type',
  }));
  return { file, source, imports };
}

/** Maps import names to files: `@landfall/bus/kafka` → `packages/bus/src/kafka/index.ts`. */
function packageEntries(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const file of globSync('{packages,services,apps,tools,testing,clients/javascript}/*/package.json', {
    cwd: root,
  })) {
    const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    for (const [subpath, target] of Object.entries<string>(exports)) {
      entries.set(path.posix.join(name, subpath), path.posix.join(path.posix.dirname(file), target));
    }
  }
  return entries;
}

/** Returns groups of files that import each other, directly or through other files. Type imports count. */
export function cyclesIn(rooms: readonly Room[]): string[][] {
  const importsOf = new Map(rooms.map(({ file, imports }) => [file, imports.map(({ from }) => from)]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  // Tarjan's algorithm for strongly connected components.
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const next of importsOf.get(file) ?? []) {
      if (!importsOf.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1 || importsOf.get(file)!.includes(file)) cycles.push(group.sort());
  };
  for (const { file } of rooms) if (!order.has(file)) visit(file);
  return cycles;
}
