// Entries that a person has not sent yet, in the storage of the browser. They outlive a reload, a lost session and a
// closed tab. Each tab writes a draft of its own, so that none overwrites another's.

import { bytesToHex } from '@noble/hashes/utils.js';

export interface Draft<Values> {
  id: string;
  /** The subject: `new`, or the id of the thing that it changes. */
  of: string;
  values: Values;
  /** The values that the person began with. */
  before: Values;
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
  /** The page that wrote it. */
  by: string;
}

const MOST = 10;
const KEPT_MS = 7 * 86_400_000;

export type Drafts<Values> = ReturnType<typeof draftsIn<Values>>;

/** @param key names the kind of the form, the app and the person */
export function draftsIn<Values>(key: string, storage: Pick<Storage, 'getItem' | 'setItem'>, now = Date.now) {
  const page = randomId();
  const opened = now();

  function all(): Draft<Values>[] {
    try {
      const stored = JSON.parse(storage.getItem(key) ?? '[]') as Draft<Values>[];
      return stored.filter(({ at }) => now() - at < KEPT_MS).sort((one, other) => other.at - one.at);
    } catch {
      // Somebody else wrote there, or the browser stores nothing.
      return [];
    }
  }

  function write(drafts: readonly Draft<Values>[]): void {
    try {
      storage.setItem(key, JSON.stringify(drafts.slice(0, MOST)));
    } catch {
      // The storage is full or forbidden. The form works without it.
    }
  }

  return {
    all,
    find: (id: string | undefined): Draft<Values> | undefined => all().find((one) => one.id === id),
    /** Stores a draft. Returns its id: a new one when another tab has written under the given one since this page was opened. */
    put(id: string | undefined, draft: Pick<Draft<Values>, 'of' | 'values' | 'before'>): string {
      const others = all();
      const stored = others.find((one) => one.id === id);
      const isTaken = stored !== undefined && stored.by !== page && stored.at > opened;
      const own = id === undefined || isTaken ? randomId() : id;
      write([{ ...draft, id: own, at: now(), by: page }, ...others.filter((one) => one.id !== own)]);
      return own;
    },
    drop: (id: string | undefined): void => write(all().filter((one) => one.id !== id)),
  };
}

const randomId = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(8)));

/** Returns what is now stored, with the changes of a draft. Somebody else may have changed other fields since. */
export function rebased<Values extends object>({ before, values }: Draft<Values>, stored: Values): Values {
  const fields = Object.keys(stored) as (keyof Values)[];
  const isChanged = (field: keyof Values) =>
    values[field] !== undefined && JSON.stringify(values[field]) !== JSON.stringify(before[field]);
  return Object.fromEntries(fields.map((field) => [field, (isChanged(field) ? values : stored)[field]])) as Values;
}
