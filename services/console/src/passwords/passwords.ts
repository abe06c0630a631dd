// Hashes passwords with Argon2id. Only a few run at once, so that sign-ins do not take the CPU from other work.
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Busy } from '@landfall/bus';
import pLimit from 'p-limit';

/** 19 MiB, two passes, one lane: the minimum that OWASP recommends. Takes about 40 ms of one core. */
const COST: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The number of passwords that are hashed at once: at most half of the cores, so that other work continues. */
export const AT_ONCE = availableParallelism() < 4 ? 1 : 2;
export const MAX_WAITING = 50;
/** Milliseconds after which nobody waits any more for a hash. */
export const MAX_WAIT_MS = 5_000;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{20,86})\$([A-Za-z0-9+/]{40,86})$/;

export interface Passwords {
  /** Returns a PHC string. Rejects with Busy if too many calls wait, or for too long. */
  hash(password: string): Promise<string>;
  /** Takes the same time for a person without a password and for an unknown email. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** @param cost of new hashes; tests use a low one */
export function createPasswords(cost = COST): Passwords {
  const limit = pLimit(AT_ONCE);
  // No password has it. A person without one is compared with it, so that the time does not show that there is none.
  const nobodys = toText(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

  async function compute(password: string, nonce: Buffer, cost: Cost, tagLength: number) {
    if (limit.pendingCount >= MAX_WAITING) throw new Busy('too many passwords wait to be checked');
    const parameters = { message: password.normalize('NFKC'), nonce, tagLength, ...cost };
    const until = performance.now() + MAX_WAIT_MS;
    return limit(async () => {
      if (performance.now() > until) throw new Busy('a password waited too long to be checked');
      return hashInThread(parameters);
    });
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return toText(cost, salt, await compute(password, salt, cost, HASH_BYTES));
    },
    async verify(password, stored) {
      const { cost, salt, hash } = read(stored ?? nobodys);
      const computed = await compute(password, salt, cost, hash.length);
      return timingSafeEqual(computed, hash) && stored !== null;
    },
  };
}

export interface Cost {
  /** In KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored) ?? [];
  if (hash === '') throw new Error('a stored password hash has an unknown form');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function toText({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Text and not TypeScript: a thread that loads the compiler of types takes 16 MB more. */
const PROGRAM = `
const { argon2Sync } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (parameters) => parentPort.postMessage(argon2Sync('argon2id', parameters)));
`;

/** In MB. The memory of a hash is not among it. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

const idle: Worker[] = [];

/**
 * Hashes in an idle thread, or starts one: the caller decides how many there are. Node runs `crypto.argon2` in the four
 * threads that also look up names, read files and compress. Whoever fills those would stop all sign-ins.
 */
async function hashInThread(parameters: Argon2Parameters): Promise<Buffer> {
  const thread = idle.pop() ?? new Worker(PROGRAM, { eval: true, execArgv: [], env: {}, resourceLimits: LIMITS });
  thread.ref();
  const answered = once(thread, 'message');
  thread.postMessage(parameters);
  // A thread that has failed is not used again.
  const [hash] = (await answered) as [Uint8Array];
  thread.unref();
  idle.push(thread);
  return Buffer.from(hash);
}
