// The connection of a gateway to the Redis that all gateways share.
import { Redis } from 'ioredis';

export type { Redis } from 'ioredis';

/** Milliseconds after which a silent connection is closed. After a failover nobody may ever answer on it. */
const SILENT_MS = 500;
const CONNECT_MS = 1_000;
/** Milliseconds between attempts while Redis reads its files. */
const LOADING_MS = 500;

/**
 * Returns a connection, which opens in the background. A command fails at once while there is none.
 * @param url `redis://` or `rediss://`
 */
export function connectRedis(url: string): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    // Calls on a broken connection are counted in memory. A resend would count them twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disconnectTimeout: SILENT_MS,
    maxLoadingRetryTime: LOADING_MS,
    // Jitter, so that gateways do not reconnect at the same moment.
    retryStrategy: (times) => Math.min(times * 100, 400) + Math.random() * 100,
    // After a failover this connection may be to a replica. A new connection goes to the current address of the name.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
}

/**
 * Rejects when no answer comes in time. ioredis's own limit (`commandTimeout`) begins only when a call is sent, and
 * batched calls are sent later. The wait has two halves, and the verdict comes after arrived data is read. So a pause
 * of this process, which is not the fault of Redis, leaves time for the answer.
 */
export function inTime<T>(withinMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`it did not answer within ${withinMs} ms`));
    let timer = setTimeout(() => {
      timer = setTimeout(() => setImmediate(tooLate), withinMs / 2);
    }, withinMs / 2);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
