import { cutText, type DeadLetter } from '@landfall/contracts';
import type { Database } from './database.ts';
import { deleteOld } from './delete-old.ts';

/** Storing a letter again changes nothing. A message that was replayed and fails again keeps its one letter. */
export function deadLetterSink(database: Database): (letter: DeadLetter) => Promise<void> {
  return async ({ id, group, message, key, data, reason, attempts, messageId, at }) => {
    await database.rows(
      `with earlier as (
         update bus.dead_letters set reason = $6, attempts = $7, at = $9, replayed_at = null, dropped_at = null
         where consumer_group = $2 and message = $3 and message_id = $8 and id <> $1 returning id)
       insert into bus.dead_letters (id, consumer_group, message, key, data, reason, attempts, message_id, at)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9 where not exists (select from earlier) on conflict (id) do nothing`,
      [id, group, message, storable(key), JSON.stringify(data), storable(reason), attempts, messageId, at],
    );
  };
}

export async function deadLetterGroups(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    'select distinct consumer_group as name from bus.dead_letters order by name',
  );
  return rows.map(({ name }) => name);
}

/** Those that were neither replayed nor dropped. */
export async function countDeadLetters(database: Database): Promise<{ group: string; count: number }[]> {
  return database.rows(
    `select consumer_group as "group", count(*)::int as count from bus.dead_letters
     where replayed_at is null and dropped_at is null group by consumer_group order by 1`,
  );
}

interface StoredRow extends Omit<DeadLetter, 'id'> {
  /** The id of the letter. */
  place: string;
  replayed: boolean;
  dropped: boolean;
}

/** Oldest first. */
export async function readDeadLetters(database: Database, group: string): Promise<StoredRow[]> {
  return database.rows(
    `select id as place, consumer_group as "group", message, key, data, reason, attempts, message_id as "messageId", at,
       replayed_at is not null as replayed, dropped_at is not null as dropped
     from bus.dead_letters where consumer_group = $1 order by at, id`,
    [group],
  );
}

export async function markReplayed(database: Database, id: string, at: Date): Promise<void> {
  await database.rows('update bus.dead_letters set replayed_at = $2 where id = $1', [id, at]);
}

/** Drops those with the given ids, or all that were not replayed. Returns those that were not dropped before. */
export async function dropDeadLetters(
  database: Database,
  group: string,
  ids: readonly string[] | undefined,
  at: Date,
): Promise<StoredRow[]> {
  const marked = await database.rows<{ id: string }>(
    `update bus.dead_letters set dropped_at = $3
     where consumer_group = $1 and dropped_at is null and case when $2::uuid[] is null then replayed_at is null
       else id = any($2) end
     returning id`,
    [group, ids ?? null, at],
  );
  const dropped = new Set(marked.map(({ id }) => id));
  return (await readDeadLetters(database, group)).filter(({ place }) => dropped.has(place));
}

/** Deletes at most `max` letters, and resolves with their number. */
export const deleteDeadLettersBefore = (database: Database, time: Date, max: number): Promise<number> =>
  deleteOld(database, { table: 'bus.dead_letters', where: 'at < $2', values: [time] }, max);

/** PostgreSQL's text type cannot hold NUL. A letter that cannot be stored would be retried for ever. */
function storable(text: string): string {
  return cutText(text.replaceAll('\0', '\u{fffd}'), 10_000);
}
