import { distinct, type EventToTell, type Handler, type Message, told } from '@landfall/bus';
import { DeviceActive, DeviceInstalled, type InputOf, type RecordHeartbeat } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import { type Device, daysSince, firstMet, heard } from '../domain/device.ts';
import { fromWhere } from '../hashes.ts';
import type { NewDevices } from '../new-devices.ts';
import { activityRepository } from '../repositories/activity-repository.ts';
import { contactRepository, contactsOf, seenOnce } from '../repositories/contact-repository.ts';
import { deviceKey, deviceRepository } from '../repositories/device-repository.ts';
import { changed, sightedToday } from '../sightings.ts';

/** A heartbeat whose caller timed out is not recorded: the app sends it again, and would look like two phones. */
export function recordHeartbeat(database: Database, newDevices: NewDevices): Handler<typeof RecordHeartbeat> {
  return async (batch) => {
    const devices = await recordThoseAwaited(database, newDevices, distinct(batch).map(toHeartbeat));
    // The row names the first heartbeat, and that of the latest day. So a late or repeated delivery gets the same answer.
    return batch.map((message) => {
      const { appId, fingerprint } = message.data;
      const device = devices.get(deviceKey({ appId, device: fingerprint }));
      const isFirstLaunch = device?.firstHeartbeatId === message.context.id;
      return { reply: { isFirstLaunch }, events: eventsOf(message, device) };
    });
  };
}

function eventsOf(
  { data, context }: Message<InputOf<typeof RecordHeartbeat>>,
  device: Device | undefined,
): EventToTell[] {
  const { appId, fingerprint, platform, country, appVersion } = data;
  const of = { appId, device: fingerprint, platform, country, appVersion };
  if (device?.firstHeartbeatId === context.id) return [told(DeviceInstalled, of)];
  if (device?.activeHeartbeatId !== context.id) return [];
  const installedAt = device.installedAt!;
  return [
    told(DeviceActive, { ...of, installedAt: installedAt.toISOString(), day: daysSince(installedAt, context.now) }),
  ];
}

type Beat = ReturnType<typeof toHeartbeat>;

const toHeartbeat = ({
  data: { fingerprint: device, ...data },
  context,
}: Message<InputOf<typeof RecordHeartbeat>>) => ({
  ...data,
  device,
  id: context.id,
  at: context.now,
  from: fromWhere(data.address, data.userAgent),
  context,
});

class AskerGone extends Error {
  override name = 'AskerGone';
}

/** Starts again without the callers that timed out while the transaction waited for row locks. */
async function recordThoseAwaited(
  database: Database,
  newDevices: NewDevices,
  beats: readonly Beat[],
): Promise<Map<string, Device>> {
  for (;;) {
    try {
      return await database.transaction((tx) => record(tx, newDevices, beats));
    } catch (error) {
      if (!(error instanceof AskerGone)) throw error;
    }
  }
}

async function record(
  tx: SqlTransaction,
  newDevices: NewDevices,
  beats: readonly Beat[],
): Promise<Map<string, Device>> {
  const gone = beats.filter(({ context }) => context.expired());
  const awaited = beats.filter((beat) => !gone.includes(beat));
  const repository = deviceRepository(tx);
  const locking = repository.lock(
    awaited.map((beat) => heard(firstMet(beat.appId, beat.device, beat.at), beat, beat.matching)),
  );
  contactRepository(tx).add(
    awaited.flatMap(({ at, ...beat }) => contactsOf(beat, { ...seenOnce(at), lastHeartbeatAt: at })),
  );
  // A redelivered heartbeat may have been recorded while its caller was still waiting.
  const [known, locked] = await Promise.all([repository.find(gone), locking]);
  if (awaited.some(({ context }) => context.expired())) throw new AskerGone('while devices were locked');
  const devices = new Map(locked.stored);
  for (const beat of awaited) {
    const key = deviceKey(beat);
    devices.set(key, heard(devices.get(key)!, beat, beat.matching));
  }
  repository.save(changed(locked.stored, devices));
  activityRepository(tx).count(newDevices.thatCount(sightedToday(awaited, locked)));
  return new Map([...known, ...devices]);
}
