import type { One } from '@landfall/bus';
import { type CheckDevice, type FindInstall, LONGEST_DAYS, MOST_USERS, type NameDevices } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { type Device, isReturning } from '../domain/device.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { days, since } from '../domain/time.ts';
import { deviceReader, namedByHalf } from '../repositories/device-repository.ts';
import { usersOf } from '../repositories/restore-list-repository.ts';
import { restoreReader } from '../repositories/restore-repository.ts';

export function checkDevice(database: Database): One<typeof CheckDevice> {
  return async ({ appId, device: hash }, { now }) => {
    const [device] = (await deviceReader(database).find([{ appId, device: hash }])).values();
    const heartbeatAt = device?.lastHeartbeatAt?.toISOString() ?? null;
    return { reply: { heartbeatAt, restore: device ? await lastRestore(database, device, now) : null } };
  };
}

export function findInstall(database: Database): One<typeof FindInstall> {
  return async ({ appId, device: hash }) => {
    const [device] = (await deviceReader(database).find([{ appId, device: hash }])).values();
    if (device === undefined) return { refusal: { code: 'DEVICE_NOT_FOUND', facts: {} } };
    const { platform, firstSeen, newSince, installedAt, lastSeen, lastHeartbeatAt, sharedAt } = device;
    return {
      reply: {
        platform,
        firstSeen: firstSeen.toISOString(),
        installedAt: installedAt?.toISOString() ?? null,
        returnedAt: isReturning(device) ? newSince.toISOString() : null,
        lastSeen: lastSeen.toISOString(),
        lastHeartbeatAt: lastHeartbeatAt?.toISOString() ?? null,
        isShared: sharedAt !== null,
        users: await usersOf(database, { appId, device: hash }, MOST_USERS),
      },
    };
  };
}

/** Analytics keeps half of a hash. The whole one leads people to the device. */
export function nameDevices(database: Database): One<typeof NameDevices> {
  return async ({ appId, halves }) => ({ reply: { devices: await namedByHalf(database, appId, halves) } });
}

/** A restore without a row had nothing to decide. Rows are kept for 30 days, so nothing is known of older ones. */
async function lastRestore(database: Database, { lastRestoreId, lastRestoreAt, sharedAt }: Device, now: Date) {
  if (lastRestoreId === null || lastRestoreAt === null || sharedAt !== null) return null;
  if (since(lastRestoreAt, now) >= days(LONGEST_DAYS)) return null;
  const restores = restoreReader(database);
  const restore = (await restores.find([lastRestoreId])).get(lastRestoreId);
  const { repeats = null, releasedAt = null } = restore ?? {};
  const decision = repeats === null ? restore : (await restores.find([repeats])).get(repeats);
  const outcome = outcomeOf(decision, releasedAt);
  const found = outcome === 'lost' ? 0 : (decision?.reply.matches.length ?? 0);
  return { at: lastRestoreAt.toISOString(), found, outcome };
}
