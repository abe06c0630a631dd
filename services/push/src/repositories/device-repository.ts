import {
  type CountAudience,
  type Platform,
  type PushEnvironment,
  type PushKind,
  type PushTarget,
  type ReplyOf,
  UNREADABLE_LANGUAGE,
} from '@landfall/contracts';
import { columnsOf, type Database, type PrismaTransaction, toBytes, toText } from '@landfall/db';

export interface NewDevice {
  readonly id: string;
  readonly messageId: string;
  readonly at: Date;
  readonly appId: string;
  readonly token: string;
  readonly tokenHash: string;
  readonly kind: PushKind;
  readonly platform: string;
  readonly environment: PushEnvironment | null;
  readonly email: string | null;
  /** Null when the app sends no language. */
  readonly language: string | null;
}

export type Unregistration = Pick<NewDevice, 'appId' | 'tokenHash' | 'messageId' | 'at'>;

export interface Unregistered {
  readonly deviceId: string;
  readonly platform: Platform;
  readonly kind: PushKind;
}

/** The drop reason of a device whose app wants no more pushes. */
const UNREGISTERED_BY_APP = 'unregistered-by-app';

/**
 * The drop reason of a device that a person deleted. Its row stays for some time without token and people: without the
 * row, a registration that is delivered late or again would bring the device back.
 */
export const DELETED = 'deleted';

type Counted = Omit<ReplyOf<typeof CountAudience>, 'emailsWithoutDevice'>;

export type DeviceRepository = ReturnType<typeof deviceRepository>;

export function deviceRepository(database: Database) {
  return {
    /**
     * Stores registered devices, one row for each device. The latest registration wins, in whatever order they arrive,
     * and restores a dropped token. A registration without an environment keeps the stored one, because an APNs token
     * always belongs to one host. One without a language keeps the stored language, and one with an unreadable language
     * removes it. The row keeps the person who was signed in before, to explain later why a push to that person did not
     * go to this device. After a deletion, the device is a new one.
     */
    async register(devices: readonly NewDevice[]): Promise<void> {
      await database.rows(registerDevices, [
        ...columns.valuesOf(devices),
        devices.filter((d) => d.language === UNREADABLE_LANGUAGE).map((d) => d.id),
      ]);
    },

    /**
     * Drops devices whose apps want no more pushes, unless they registered later. Returns the devices that each message
     * dropped, now or in an earlier delivery. A dropped device has no signed-in person any more.
     */
    async unregister(wanted: readonly Unregistration[]): Promise<ReadonlyMap<string, Unregistered>> {
      const ids = wanted.map(({ messageId }) => messageId);
      const names = [wanted.map(({ appId }) => appId), wanted.map(({ tokenHash }) => toBytes(tokenHash))];
      // Uses the latest unregistration of each device. Locks the devices in the same order as registrations do.
      await database.rows(
        `with latest as (
           select distinct on (app_id, token_hash) * from unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::timestamptz[])
             as n(app_id, token_hash, message_id, at)
           order by app_id, token_hash, at desc, message_id desc
         ), locked as materialized (
           select d.id, n.message_id, n.at from latest n join push.devices d using (app_id, token_hash)
           where d.dropped_at is null and (d.last_seen, d.registered_by) < (n.at, n.message_id)
           order by d.app_id, d.token_hash for update of d
         )
         update push.devices d set
           dropped_at = l.at, drop_reason = '${UNREGISTERED_BY_APP}', dropped_by = l.message_id, last_seen = l.at,
           registered_by = l.message_id, email = null, email_before = coalesce(d.email, d.email_before),
           email_since = case when d.email is null then d.email_since else l.at end
         from locked l where d.id = l.id`,
        [...names, ids, wanted.map(({ at }) => at)],
      );
      const rows = await database.rows<Unregistered & { droppedBy: string }>(
        `select d.id as "deviceId", d.platform, d.kind, d.dropped_by as "droppedBy" from unnest($1::uuid[], $2::bytea[], $3::uuid[])
           as n(app_id, token_hash, message_id)
         join push.devices d on d.app_id = n.app_id and d.token_hash = n.token_hash and d.dropped_by = n.message_id`,
        [...names, ids],
      );
      return new Map(rows.map(({ droppedBy, ...device }) => [droppedBy, device]));
    },

    /** Deletes the token and everything about the users. Returns the state before. Null: there is no such device. */
    async remove(
      tx: PrismaTransaction,
      { appId, deviceId, messageId, at }: Pick<NewDevice, 'appId' | 'messageId' | 'at'> & { deviceId: string },
    ): Promise<(Omit<Unregistered, 'deviceId'> & { dropReason: string | null }) | null> {
      await tx.$queryRaw`select 1 from push.devices where id = ${deviceId}::uuid and app_id = ${appId}::uuid for update`;
      const device = await tx.pushDevice.findFirst({ where: { id: deviceId, appId } });
      if (!device || device.dropReason === DELETED) return null;
      await tx.pushDevice.update({
        where: { id: deviceId },
        data: {
          ...{ token: '', environment: null, email: null, language: null, emailBefore: null, emailSince: null },
          ...{ lastSeen: at, registeredBy: messageId, droppedAt: at, dropReason: DELETED, droppedBy: messageId },
        },
      });
      const { platform, kind, dropReason } = device;
      return { platform: platform as Platform, kind: kind as PushKind, dropReason };
    },

    async countAudience(appId: string, target: PushTarget, now: Date): Promise<Counted> {
      const { where, values } = audienceOf(appId, target, now);
      const rows = await database.rows<{ kind: PushKind; platform: 'ios' | 'android'; count: number }>(
        `select kind, platform, count(*)::int as count from push.devices where ${where} group by 1, 2`,
        values,
      );
      const of = (field: 'kind' | 'platform', value: string) =>
        rows.filter((row) => row[field] === value).reduce((sum, { count }) => sum + count, 0);
      return {
        targeted: rows.reduce((sum, { count }) => sum + count, 0),
        byKind: { fcm: of('kind', 'fcm'), apns: of('kind', 'apns') },
        byPlatform: { ios: of('platform', 'ios'), android: of('platform', 'android') },
      };
    },

    /** Returns the emails of the target that no device of the audience has. */
    async emailsWithoutDevice(appId: string, target: PushTarget, now: Date): Promise<string[]> {
      if (!target.emails) return [];
      const { where, values } = audienceOf(appId, target, now);
      const rows = await database.rows<{ email: Buffer }>(
        `select distinct email from push.devices where ${where}`,
        values,
      );
      const found = new Set(rows.map(({ email }) => toText(email)));
      return target.emails.filter((email) => !found.has(email));
    },
  };
}

const columns = columnsOf<NewDevice>({
  id: ['uuid', (d) => d.id],
  app_id: ['uuid', (d) => d.appId],
  token_hash: ['bytea', (d) => d.tokenHash],
  token: ['text', (d) => d.token],
  kind: ['text', (d) => d.kind],
  platform: ['text', (d) => d.platform],
  environment: ['text', (d) => d.environment],
  email: ['bytea', (d) => d.email],
  language: ['text', (d) => d.language],
  at: ['timestamptz', (d) => d.at],
  message_id: ['uuid', (d) => d.messageId],
});

const registerDevices = `
  insert into push.devices as d (id, app_id, token_hash, token, kind, platform, environment, email, language, first_seen,
    last_seen, registered_by)
  select id, app_id, token_hash, token, kind, platform, environment, email, nullif(language, '${UNREADABLE_LANGUAGE}'), at,
    at, message_id
  from ${columns.unnest('n')}
  order by app_id, token_hash
  on conflict (app_id, token_hash) do update set
    token = excluded.token, platform = excluded.platform,
    first_seen = case when d.drop_reason = '${DELETED}' then excluded.first_seen else d.first_seen end,
    environment = coalesce(excluded.environment, d.environment),
    language = case when excluded.id = any($12::uuid[]) then null else coalesce(excluded.language, d.language) end,
    email = excluded.email,
    email_before = case when d.email is distinct from excluded.email then coalesce(d.email, d.email_before) else d.email_before end,
    email_since = case when d.drop_reason = '${DELETED}' then null
      when d.email is distinct from excluded.email then excluded.last_seen else d.email_since end,
    last_seen = excluded.last_seen, registered_by = excluded.registered_by, dropped_at = null, drop_reason = null
  where (d.last_seen, d.registered_by) < (excluded.last_seen, excluded.registered_by)`;

const DAY_MS = 86_400_000;

/** The text contains only the conditions that the target sets, so that each query can use the best index. */
function audienceOf(appId: string, target: PushTarget, now: Date): { where: string; values: unknown[] } {
  const { platform, emails, tokens, seenWithinDays } = target;
  const values: unknown[] = [appId];
  const conditions = ['app_id = $1', 'dropped_at is null'];
  const add = (condition: (place: string) => string, value: unknown) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (emails) add((place) => `email = any(${place}::bytea[])`, emails.map(toBytes));
  if (tokens) add((place) => `token_hash = any(${place}::bytea[])`, tokens.map(toBytes));
  if (platform) add((place) => `platform = ${place}`, platform);
  if (seenWithinDays !== null)
    add((place) => `last_seen >= ${place}`, new Date(now.getTime() - seenWithinDays * DAY_MS));
  return { where: conditions.join(' and '), values };
}
