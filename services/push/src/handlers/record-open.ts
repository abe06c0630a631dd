import { distinct, type Handler, told } from '@landfall/bus';
import { PushOpened, type RecordOpen } from '@landfall/contracts';
import type { OpenRepository } from '../repositories/open-repository.ts';

export function recordOpen(opens: OpenRepository): Handler<typeof RecordOpen> {
  return async (batch) => {
    const opened = await opens.record(
      distinct(batch).map(({ data, context }) => ({
        ...data,
        ...readId(data.notificationId),
        messageId: context.id,
        at: context.now,
      })),
    );
    // The row names the message that reported the open first, so that a redelivery of it gets the same answer.
    // Without a device that is registered, anybody could report any number of opens: such a report is no event.
    return batch.map(({ data, context }) => {
      const { appId, country, appVersion } = data;
      const { notificationId } = readId(data.notificationId);
      const { known, deviceId, first, ...device } = opened.get(context.id)!;
      const platform = device.platform ?? data.platform;
      const event = { notificationId, known, appId, deviceId, platform, country, appVersion };
      return { reply: { known }, events: first && deviceId !== null ? [told(PushOpened, event)] : [] };
    });
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id in the format of our ids is returned in lower case, as we write them. `ours`: null for any other id. */
function readId(notificationId: string): { notificationId: string; ours: string | null } {
  if (!UUID.test(notificationId)) return { notificationId, ours: null };
  const ours = notificationId.toLowerCase();
  return { notificationId: ours, ours };
}
