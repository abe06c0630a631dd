// The state of PostgreSQL, as a line of /readyz.

import type { Database } from '@landfall/db';
import type { Check } from '@landfall/runtime';
import pTimeout from 'p-timeout';

/** A server that hangs answers nothing, and whoever asks for /readyz waits a few seconds at the most. */
const WITHIN_MS = 2_500;

/** One question at a time: one that is not answered keeps its connection. */
export function databaseCheck(database: Pick<Database, 'rows'>): () => Promise<Check> {
  let asked: Promise<Check> | undefined;
  const ask = async (): Promise<Check> => {
    try {
      await database.rows('select 1');
      return { ok: true };
    } finally {
      asked = undefined;
    }
  };
  return async () => {
    asked ??= ask();
    const detail = `PostgreSQL has not answered for ${WITHIN_MS / 1000} s`;
    return pTimeout(asked, { milliseconds: WITHIN_MS, fallback: () => ({ ok: false, detail }) });
  };
}
