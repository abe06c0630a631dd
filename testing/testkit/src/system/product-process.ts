// Landfall as a process of its own, as `npm start` starts it. Programs use this, too, so nothing here is of a test runner.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, systemEnv } from '@landfall/local';

const MAIN = path.join(import.meta.dirname, '../../../../apps/standalone/src/main.ts');

export interface ProductProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the process has printed the welcome. Rejects when the process ends before that. */
  ready: Promise<void>;
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts it with these settings. None of this process reaches it. */
export function startProduct(env: Record<string, string>): ProductProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...systemEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const ended = new Promise<Awaited<ProductProcess['ended']>>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text;
      if (output.stderr.includes('Stop with Ctrl-C.')) resolve();
    });
    void ended.then(({ code, signal }) => reject(new Error(`it ended (${code ?? signal}): ${output.stderr}`)));
  });
  ready.catch(() => {});
  return { child, ready, ended, stdout: () => output.stdout, stderr: () => output.stderr };
}

/** Creates an empty folder. PostgreSQL runs as another user when we run as root, and that user needs access. */
export function dataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-process-'));
  chmodSync(folder, 0o755);
  return folder;
}

export interface Product {
  /** Without a slash at its end. */
  url: string;
  /** A token for the whole management API. */
  ownerToken: string;
  /** The key of the demo app. */
  demoKey: string;
  /** The settings with which it runs. */
  env: Record<string, string>;
}

/** Starts it on a free port and an empty folder, and stops it and deletes the folder when `use` is done. */
export async function withProduct<T>(settings: Record<string, string>, use: (product: Product) => Promise<T>) {
  const folder = dataFolder();
  const [port = 0] = await freePorts(1);
  const env = { PORT: String(port), LANDFALL_DATA: folder, ...settings };
  const { child, ready, ended } = startProduct(env);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill());
  try {
    await ready;
    const [ownerToken, demoKey] = ['owner-token', 'demo-key'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8').trim(),
    );
    return await use({ url: `http://localhost:${port}`, ownerToken: ownerToken!, demoKey: demoKey!, env });
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
