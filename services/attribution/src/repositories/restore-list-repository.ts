// Lists restores for people, from PostgreSQL.
import type { RestoreFilter, RestoreState } from '@landfall/contracts';
import { type Fields, type Sql, tableOf, toBytes, toText } from '@landfall/db';
import type { Restore } from '../domain/past.ts';
import type { Told } from '../domain/restore.ts';
import { UNTAPPED } from '../domain/summary.ts';
import type { DeviceKey } from './device-repository.ts';
import { decided, told } from './restore-repository.ts';

export type ListedRestore = Omit<Restore, 'reply'> & Told;

export interface Page {
  readonly appId: string;
  readonly limit: number;
  readonly after: { at: Date; id: string } | null;
  readonly filter: RestoreFilter | null;
}

/** Returns one page, newest first. */
export async function listRestores(sql: Sql, { appId, limit, after, filter }: Page): Promise<ListedRestore[]> {
  const { at, id } = after ?? AFTER_ALL;
  const values: unknown[] = [appId, limit, at, id];
  const param = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const {
    state = null,
    platform = null,
    keyId = null,
    linkId = null,
    from = null,
    before = null,
    of = null,
  } = filter ?? {};
  const where = [
    'app_id = $1 and (at, message_id) < ($3, $4)',
    ...(state === null ? [] : [isIn[state]]),
    ...(platform === null ? [] : [`platform = ${param(platform, 'text')}`]),
    ...(keyId === null ? [] : [`key_id = ${param(keyId, 'uuid')}`]),
    ...(linkId === null ? [] : [`link_ids @> ${param([linkId], 'uuid[]')}`]),
    ...(from === null ? [] : [`at >= ${param(from, 'timestamptz')}`]),
    ...(before === null ? [] : [`at < ${param(before, 'timestamptz')}`]),
  ].join(' and ');
  // One branch for each key, so that each reads its own index: those of a person are few among those of the app.
  const keys = of && [
    ...of.devices.map((device) => `device = ${param(toBytes(device), 'bytea')}`),
    ...of.deviceStarts.map((start) => {
      const [first, last] = ['A', '_'].map((filled) => param(toBytes(start.padEnd(HASH_LENGTH, filled)), 'bytea'));
      return `device between ${first} and ${last}`;
    }),
    ...of.users.map((user) => `email = ${param(toBytes(user), 'bytea')}`),
    ...of.requestIds.map((request) => `request_id = ${param(request, 'text')}`),
    ...(of.ids.length === 0 ? [] : [`message_id = any(${param(of.ids, 'uuid[]')})`]),
    ...(of.linkIds.length === 0 ? [] : [`link_ids && ${param(of.linkIds, 'uuid[]')}`]),
  ];
  if (keys?.length === 0) return [];
  const ids = (keys ?? ['true']).map(
    (key) => `(select message_id, at from attribution.restores where ${where} and ${key} ${order} limit $2)`,
  );
  const rows = await sql.rows(
    `select ${listed.names} from attribution.restores
     where message_id in (select message_id from (${ids.join(' union ')}) found ${order} limit $2)
     ${order}`,
    values,
  );
  return rows.map(listed.of);
}

/** Returns the hashes of the users whom the restores of a device named, the latest first. */
export async function usersOf(sql: Sql, { appId, device }: DeviceKey, most: number): Promise<string[]> {
  const rows = await sql.rows<{ email: Buffer }>(
    `select email from attribution.restores where app_id = $1 and device = $2 and device is not null and email is not null
     group by email order by max(at) desc limit $3`,
    [appId, toBytes(device), most],
  );
  return rows.map(({ email }) => toText(email)!);
}

const AFTER_ALL = { at: new Date(Date.UTC(9999, 0)), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** 32 bytes as base64url. `A` stands for bits that are 0, `_` for bits that are 1. */
const HASH_LENGTH = 43;

const order = 'order by at desc, message_id desc';

/** Rows of older versions have no code. */
const hadNoTap = `(code in ('untapped', 'beyond') or code is null and summary = '${UNTAPPED}')`;
const isIn: Record<RestoreState, string> = {
  found: 'match_type is not null',
  nothing: `match_type is null and ${hadNoTap}`,
  refused: `match_type is null and not ${hadNoTap}`,
};

const fields: Fields<ListedRestore> = { ...decided, ...told, considered: 'json' };
const listed = tableOf<ListedRestore>(fields);
