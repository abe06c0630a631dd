// Generates the Prisma client after every installation. Prisma first looks for its schema engine, a binary that it
// would download. The generation does not use this binary, so any existing file is sufficient.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { markInstalled } from './stamp.mjs';

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
const generated = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
  encoding: 'utf8',
  env: {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    ...process.env,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  },
});
if (generated.status === 0) {
  markInstalled();
} else {
  console.error(`prisma generate failed:\n${generated.stdout}${generated.stderr}${generated.error ?? ''}`);
  process.exitCode = 1;
}
