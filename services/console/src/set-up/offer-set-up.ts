// Gives an instance its first owner, by a one-time code that only the operator who starts it sees.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@landfall/db';
import type { Logger } from '@landfall/runtime';
import { curlPost, type Made, makeSecret } from '../access/one-time.ts';
import { setUpRepository } from './set-up-repository.ts';

/**
 * Returns the lines to print, outside the log. Undefined when the instance has an owner. Each start makes a new code,
 * and the codes of earlier starts become invalid.
 */
export async function offerSetUp(
  database: Pick<Database, 'prisma'>,
  place: Place,
  { code = makeSecret(), now = new Date() }: { code?: Made; now?: Date } = {},
): Promise<string | undefined> {
  const setUp = setUpRepository(database);
  if (await setUp.hasOwner()) return undefined;
  await setUp.offerCode(code.hash, now);
  return setUpLines(place, code.plaintext);
}

export interface Place {
  publicUrl: string;
  /** True when the instance serves the web app, which has a page for the set-up. */
  hasPages: boolean;
}

function setUpLines({ publicUrl, hasPages }: Place, code: string): string {
  const body = { code, email: 'you@example.com', password: '…', name: 'You', teamName: 'Your team' };
  // The code is in the fragment, which a browser does not send.
  const lines = hasPages
    ? [`${publicUrl}/setup#${code}`]
    : curlPost(`${publicUrl}/api/manage/set-up`, body).split('\n');
  const what = hasPages ? 'address' : 'code';
  return [
    `Create the first owner of this instance, with the latest printed ${what}:`,
    '',
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** Milliseconds between attempts while the database is away. */
const AGAIN_MS = 2_000;

/** Offers the set-up in the background until the database answers. Nothing waits for it, and it never fails. */
export function keepOfferingSetUp(
  database: Pick<Database, 'prisma'>,
  place: Place,
  log: Logger,
  say: (lines: string) => void,
  now: () => number = Date.now,
): { stop(): void } {
  const code = makeSecret();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function offer(): Promise<void> {
    while (!signal.aborted) {
      try {
        const lines = await offerSetUp(database, place, { code, now: new Date(now()) });
        if (lines !== undefined) say(lines);
        return;
      } catch (error) {
        log.debug({ err: error }, 'it is unknown whether this instance has an owner: the check is retried');
        await delay(AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  void offer();
  return { stop: () => stopping.abort() };
}
