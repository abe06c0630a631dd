// PostgreSQL for a test run: from `servers/`. No suite that is given this does without it.
import type { TestProject } from 'vitest/node';
import { serverOfRun } from './servers/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which tests make databases of their own (`createTestDatabase`). */
    databaseServerUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const { address, missing, stop } = await serverOfRun('postgres');
  if (missing) throw new Error(`There is no PostgreSQL for the tests: ${missing}`);
  project.provide('databaseServerUrl', address);
  return stop;
}
