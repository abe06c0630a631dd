// The table of the pages, which is made from the names of their files. It is not committed: a build writes it, and so does
// `npm run types`.
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';

export const routeOptions = {
  target: 'react',
  autoCodeSplitting: true,
  quoteStyle: 'single',
  semicolons: true,
  // Beside the sources, which the name of a build is made of.
  generatedRouteTree: './generated/route-tree.gen.ts',
} as const;

/** Writes the table. */
export async function writeRouteTree(): Promise<void> {
  const root = path.resolve(import.meta.dirname, '..');
  await new Generator({ config: getConfig(routeOptions, root), root }).run();
}
