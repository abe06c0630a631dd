// Fetches Apache Kafka's jars once from Maven Central and keeps them in the clone's cache.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endWithUs, lastOutput } from './child-process.ts';

export const KAFKA_VERSION = '4.3.1';
/** The lowest version of Java that Kafka's server needs. */
const JAVA = 17;
const cache = path.resolve(import.meta.dirname, '../../../.cache');
const complete = path.join(cache, `kafka-${KAFKA_VERSION}`);
/** Milliseconds after which a folder counts as left by a killed run. No fetch takes this long. */
const ABANDONED_MS = 3_600_000;

// Kafka logs through slf4j 1.7, so the binding must be of that version.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>kafka-broker</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** Returns the reason why Kafka cannot run on this machine, with the program to install; undefined when it can. */
export function kafkaAvailable(): string | undefined {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
  if (java.status !== 0 || version < JAVA) {
    return `Kafka needs Java ${JAVA} or newer: install it, e.g. apt-get install openjdk-17-jre-headless.`;
  }
  if (existsSync(complete) || spawnSync('mvn', ['-v']).status === 0) return undefined;
  return 'Kafka is fetched by Maven, and there is none: install it, e.g. apt-get install maven.';
}

/** Returns the class path of Kafka. Fetches the jars if they are missing. Any number of callers may call it at once. */
export async function kafkaJars(): Promise<string> {
  if (!existsSync(complete)) await fetchJars();
  return path.join(complete, '*');
}

/** Fetches into another folder, which becomes the cache in one step: an interrupted fetch is never used. */
async function fetchJars(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((name) => name.startsWith(`kafka-${KAFKA_VERSION}.`))) {
    const left = path.join(cache, name);
    const { mtimeMs } = statSync(left, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(left, { recursive: true, force: true });
  }
  const half = mkdtempSync(`${complete}.`);
  try {
    writeFileSync(path.join(half, 'pom.xml'), pom);
    const jars = path.join(half, 'jars');
    await maven(half, [PLUGIN, `-DoutputDirectory=${jars}`, '-DincludeScope=runtime']);
    try {
      renameSync(jars, complete);
    } catch (error) {
      // Another process was faster, and its jars are the same.
      if (!existsSync(complete)) throw error;
    }
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

async function maven(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn('mvn', ['-B', '-q', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid) endWithUs(child);
  const outputs = [child.stdout, child.stderr].map(lastOutput);
  const [code] = await once(child, 'close').catch((error: Error) => {
    throw new Error(`Maven could not be started: ${error.message}`);
  });
  if (code === 0) return;
  const said = outputs.map((output) => output()).join('');
  const reason = /ERROR\S*\s+(.+)/.exec(said)?.[1] ?? said.trim();
  throw new Error(`Kafka ${KAFKA_VERSION} could not be fetched from Maven Central: ${reason}`);
}
