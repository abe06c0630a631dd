// Starts PostgreSQL for a test run, from `servers/`. The run fails without PostgreSQL.
import type { TestProject } from 'vitest/node';
import { serverOfRun } from './servers/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server on which tests create their own databases (`createTestDatabase`). */
    databaseServerUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const { address, missing, stop } = await serverOfRun('postgres');
  if (missing) throw new Error(`There is no PostgreSQL for the tests: ${missing}`);
  project.provide('databaseServerUrl', address);
  return stop;
}
