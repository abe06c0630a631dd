// Tells errors of the infrastructure, after which the same message can succeed later.

/** SQLSTATE classes and single SQLSTATE codes that a message cannot cause by itself. */
const sqlStates = [
  '08', // connection exceptions
  '28', // refused at the door: wrong password, no entry in pg_hba.conf
  '53', // out of disk, memory or connections
  '57P', // shut down, crashed, still starting; 57014 is not here: a statement over its limit may be the message's doing
  '58', // system errors: I/O
  '25006', // read only: we still speak to the server that was primary before a failover
  '3D000', // the database is not there
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // a lock was not given in time
];

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Prisma codes for: not reachable, timed out, closed, none free in the pool, write conflict, too many connections. */
const prismaCodes = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2034',
  'P2037',
]);

/** Names that Prisma's adapter gives to socket errors, without their codes. */
const adapterKinds = new Set([
  'AuthenticationFailed',
  'ConnectionClosed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

/** A statement that was prepared before a migration added a column fails as long as its connection exists. */
export const STALE_PLAN = /^cached plan must not change result type$/;

/**
 * pg's own errors have no code. The last message means that this process stops, and another one will take the message.
 * Prisma's P2028 means this, but also a transaction that took too long, which the message may have caused.
 */
const messages = [
  /Unable to start a transaction in the given time/,
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Client has encountered a connection error and is not queryable$/,
  /^Client was closed and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  STALE_PLAN,
];

/**
 * True if the caller should retry later, and the failure is no attempt of the message: errors of the connection, the
 * pool or the server's state, locks and conflicts, also wrapped by Prisma and others. False for everything else, also
 * for a statement over its time limit (57014), which would block its partition for ever.
 */
export function isTransient(error: unknown): boolean {
  return isTransientWithin(error, 8);
}

function isTransientWithin(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { code, errorCode, originalCode, kind, message, cause, meta, errors } = error as Record<string, unknown>;
  if ([code, errorCode, originalCode].some(isTransientCode)) return true;
  if (typeof kind === 'string' && adapterKinds.has(kind)) return true;
  if (error instanceof Error && typeof message === 'string' && messages.some((words) => words.test(message)))
    return true;
  const inner = [cause, (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError];
  // A connection to a name with several addresses fails with one error for each address.
  if (Array.isArray(errors)) inner.push(...errors);
  return inner.some((one) => isTransientWithin(one, depth - 1));
}

function isTransientCode(code: unknown): boolean {
  if (typeof code !== 'string') return false;
  if (socketCodes.has(code) || prismaCodes.has(code)) return true;
  return /^[0-9A-Z]{5}$/.test(code) && sqlStates.some((state) => code.startsWith(state));
}
