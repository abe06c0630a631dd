// What the ways to list links share.
import type { Link } from '@landfall/contracts';
import type { Row, Wanted } from '../domain/listing.ts';

export interface Listed {
  links: Link[];
  /** The last link that was read, when there may be more. Null: the list has ended. */
  readTo: Row | null;
}

/** `exact: false`: there are this many at least. */
export interface Counted {
  count: number;
  exact: boolean;
}

/** `all: false`: there may be more. */
export interface Ids {
  ids: string[];
  all: boolean;
}

export const rowOf = ({ createdAt, id }: Link): Row => ({ at: new Date(createdAt), id });

/** The text that is searched, as the index has it. */
export const SEARCHED = `lower(coalesce(name, '') || ' ' || slug || ' ' || destination)`;

/** Returns a pattern for texts that have the word somewhere. */
export const anywhere = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** @param now the parameter with the current time. PostgreSQL requires every parameter in every statement. */
export const conditionOf = (state: Wanted['state'], now: string): string =>
  ({
    all: `${now}::timestamptz is not null`,
    live: `archived_at is null and (expires_at is null or expires_at > ${now}::timestamptz)`,
    expired: `archived_at is null and expires_at <= ${now}::timestamptz`,
    archived: `archived_at is not null and ${now}::timestamptz is not null`,
  })[state];
