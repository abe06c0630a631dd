// The archive of Kafka's classes (class data sharing of the JVM). With it, a broker starts in half the time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcess } from './child-process.ts';
import { freePorts } from './free-ports.ts';
import { prepare, QUICK, startBroker } from './kafka-node.ts';

/** Milliseconds after which an unfinished archive counts as abandoned: its process was killed. */
const ABANDONED_MS = 120_000;
/** The broker writes the archive when it ends. On a busy machine that takes longer than its end. */
const WRITTEN_MS = 60_000;

/** Returns the flags to use the archive. The first caller makes it, in about 5 s; others get no flags meanwhile. */
export async function archiveFlags(classPath: string): Promise<string[]> {
  const jars = path.dirname(classPath);
  // An archive works with one JVM only.
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const jvm = createHash('sha256').update(stderr).digest('hex').slice(0, 12);
  const archive = `${jars}.${jvm}.jsa`;
  const use = [`-XX:SharedArchiveFile=${archive}`, '-Xshare:auto', '-Xlog:cds=off', '-Xlog:cds+dynamic=off'];
  if (existsSync(archive)) return use;
  const making = `${archive}.making`;
  if (!claim(making)) return [];
  try {
    const half = path.join(making, 'classes.jsa');
    await runOnce({ classPath, flags: [...QUICK, `-XX:ArchiveClassesAtExit=${half}`] });
    if (!existsSync(half)) return [];
    renameSync(half, archive);
    return use;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

/** Starts and ends a broker, which has then loaded the classes that every broker loads. */
async function runOnce(program: { classPath: string; flags: readonly string[] }): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'landfall-kafka-classes-'));
  try {
    const [port = 0, controllerPort = 0] = await freePorts(2);
    const node = { id: 1, port, controllerPort, folder: dir };
    await prepare({ ...program, flags: QUICK }, node, [node], 'LandfallClassesOfABrA');
    await endProcess(await startBroker(program, node, () => {}), 'SIGTERM', WRITTEN_MS);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
