// How the table of the pages is made from the names of their files. A build and `npm run types` write it.
export const routeOptions = {
  target: 'react',
  autoCodeSplitting: true,
  quoteStyle: 'single',
  semicolons: true,
  // Outside the sources, whose content names a build.
  generatedRouteTree: './generated/route-tree.gen.ts',
} as const;
