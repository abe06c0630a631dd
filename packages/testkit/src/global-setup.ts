// PostgreSQL for a test run: the server that TEST_DATABASE_URL names, else an embedded one in a folder of its own.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '@landfall/db';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which tests make databases of their own (`createTestDatabase`). */
    databaseServerUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide('databaseServerUrl', given);
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-test-'));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  const server = await startEmbedded({ dir: path.join(folder, 'postgres'), durable: false });
  project.provide('databaseServerUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
