// Hashes with Argon2id in threads of its own. Node runs `crypto.argon2` in the four threads that also look up names,
// read files and compress. Whoever fills those would stop all sign-ins.
import type { Argon2Parameters } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Text and not TypeScript: a thread that loads the compiler of types takes 16 MB more. */
const PROGRAM = `
const { argon2Sync } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (parameters) => parentPort.postMessage(argon2Sync('argon2id', parameters)));
`;

/** In MB. The memory of a hash is not among it. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

const idle: Worker[] = [];

/** Takes an idle thread, or starts one. So the caller decides how many there are. */
export async function hashInThread(parameters: Argon2Parameters): Promise<Buffer> {
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
