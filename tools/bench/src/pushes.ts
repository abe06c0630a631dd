// Creates a push that went to many devices. Each device may open it.
import { randomUUID } from 'node:crypto';
import type { Site } from './product/site.ts';

export async function openable(site: Site, devices: number): Promise<{ notificationId: string; tokens: string[] }> {
  const { database } = site.product;
  const notificationId = randomUUID();
  const tokens = Array.from({ length: devices }, (_, n) => `${notificationId}:${n}`);
  // One transaction, so that no other work runs between these steps.
  await database.transaction(async (tx) => {
    await tx.rows(devicesOf, [site.appId, notificationId, devices]);
    await tx.rows(notification, [site.appId, notificationId, devices]);
    await tx.rows(deliveries, [site.appId, notificationId]);
  });
  // Otherwise PostgreSQL would do both by itself during the measurement.
  await database.rows('vacuum (analyze) push.devices');
  await database.rows('vacuum (analyze) push.deliveries');
  await database.rows('checkpoint');
  return { notificationId, tokens };
}

const devicesOf = `
  insert into push.devices (id, app_id, token_hash, token, kind, platform, first_seen, last_seen, registered_by)
  select gen_random_uuid(), $1::uuid, sha256(convert_to(token, 'UTF8')), token, 'fcm', 'android', now(), now(), $2::uuid
  from (select $2::text || ':' || n as token from generate_series(0, $3::int - 1) n) t`;

const notification = `
  insert into push.notifications (id, app_id, message, target, input_hash, created_at, send_at, expires_at, targeted, expanded_at,
    sent)
  values ($2, $1, '{}', '{}', '', now(), now(), now() + interval '1 day', $3, now(), $3)`;

const deliveries = `
  insert into push.deliveries (id, notification_id, app_id, device_id, kind, state, next_at, ended_at)
  select gen_random_uuid(), $2::uuid, $1, id, 'fcm', 'sent', now(), now() from push.devices
  where app_id = $1 and registered_by = $2`;
