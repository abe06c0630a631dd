// Runs the compose file as a separate project for a test: with other names and other ports, and with volumes that are
// deleted.
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@landfall/local';
import { describe, expect } from 'vitest';

const run = promisify(execFile);
export const root = path.resolve(import.meta.dirname, '../../../..');
/** As long as the start period of the compose file. */
const READY_MS = 180_000;
/** The maximum number of bytes in the output of a command. The logs of all containers are a few MB. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Declares a suite that needs a Docker engine. Without an engine the suite is skipped, and its name gives the reason.
 */
export function describeWithDocker(name: string, suite: () => void): void {
  const missing = noEngine();
  describe.skipIf(missing)(missing ? `${name} (${missing})` : name, suite);
}

function noEngine(): string | undefined {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return 'needs Docker with Compose: install it';
  if (spawnSync('docker', ['info']).status !== 0) return 'no Docker engine answers: start it, or set DOCKER_HOST';
  return undefined;
}

export interface Compose {
  /** The port of the proxy. */
  port: number;
  /** The port of Kafka, with the profile `tools`. */
  kafkaPort: number;
  /** Adds settings for the next commands. */
  set(settings: Record<string, string>): void;
  /** Runs a command of Compose for this project. Resolves with its output. Rejects with its error output. */
  compose(...args: string[]): Promise<string>;
  /** Runs shell commands in `cwd` for this project, as a person types them. Resolves with their output. */
  shell(script: string, cwd?: string): Promise<string>;
  /** Returns the names of the containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Resolves with a URL for the project's PostgreSQL that works on this machine. */
  databaseUrl(): Promise<string>;
}

export async function composeProject(): Promise<Compose> {
  const [port = 0, databasePort = 0, kafkaPort = 0] = await freePorts(3);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `landfall-test-${randomBytes(3).toString('hex')}`,
    COMPOSE_FILE: [path.join(root, 'docker-compose.yml'), path.join(import.meta.dirname, 'ports.yml')].join(':'),
    COMPOSE_PROGRESS: 'quiet',
    LANDFALL_VERSION: 'test',
    PORT: String(port),
    KAFKA_PORT: String(kafkaPort),
    TEST_POSTGRES_PORT: String(databasePort),
  };
  const project: Compose = {
    port,
    kafkaPort,
    set: (settings) => void Object.assign(env, settings),
    compose: async (...args) =>
      (await run('docker', ['compose', ...args], { cwd: root, env, maxBuffer: MAX_OUTPUT })).stdout,
    shell: async (script, cwd = root) => (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd, env })).stdout,
    async containers(service) {
      const names = await project.compose('ps', '-a', '--format', '{{.Name}}', service);
      return names.split('\n').filter(Boolean).sort();
    },
    async databaseUrl() {
      const url = await project.compose('exec', '-T', 'link', 'cat', '/run/landfall/database/url');
      return url.replace('@postgres:5432', `@127.0.0.1:${databasePort}`);
    },
  };
  return project;
}

export const docker = async (...args: string[]): Promise<string> => (await run('docker', args)).stdout.trim();

/** Resolves when Docker reports that the container is healthy. Rejects with its last checks and the end of its log. */
export async function becomesHealthy(container: string): Promise<void> {
  try {
    await expect
      .poll(() => docker('inspect', '-f', '{{.State.Health.Status}}', container), { timeout: READY_MS, interval: 250 })
      .toBe('healthy');
  } catch (error) {
    const [state, log] = await Promise.all([
      docker('inspect', '-f', '{{json .State}}', container),
      run('docker', ['logs', '--tail', '40', container]),
    ]);
    throw new Error(`${container} is not healthy: ${state}\n${log.stdout}${log.stderr}`, { cause: error });
  }
}

/** Returns the commands under a heading of a document, one entry for each block. */
export function commandsUnder(file: string, heading: string): string[] {
  const [, rest] = readFileSync(path.join(root, file), 'utf8').split(`\n## ${heading}\n`);
  if (rest === undefined) throw new Error(`${file} has no heading ${heading}`);
  const section = rest.split('\n## ')[0]!;
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}
