// Sends the messages that are due. Any number of consoles do it: each message is taken by one of them. A console that ends
// between sending and storing leaves the message to another one, which sends it once more under the same id.
import type { Logger } from '@landfall/runtime';
import { Message } from './message.ts';
import type { Taken } from './message-repository.ts';
import { SendError, type SendParts, sendMessage } from './send.ts';

/** Seconds from an attempt to the next one. */
const AGAIN_SECONDS = [10, 60, 600, 3_600, 21_600];
/** The most seconds for which a receiver may put a message off. */
const MOST_SECONDS = 3_600;
const AT_ONCE = 10;

/** Sends all messages that are due. */
export async function deliverDue(parts: SendParts & { log: Logger }, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const taken = await parts.account.messages.take(parts.now(), AT_ONCE);
    await Promise.all(taken.map((one) => deliver(one, parts)));
    if (taken.length < AT_ONCE || signal?.aborted) return;
  }
}

async function deliver(taken: Taken, parts: SendParts & { log: Logger }): Promise<void> {
  const { account, log, now } = parts;
  const { id, channelId } = taken;
  try {
    await attempt(taken, parts);
  } catch (error) {
    if (!(error instanceof SendError)) {
      // It is due again when its minute is over.
      log.warn({ err: error, messageId: id }, 'a message to a channel was not sent');
      return;
    }
    const at = now();
    const nextAt = nextOf(taken, error, at);
    log.info({ messageId: id, fault: error.fault, status: error.status, again: nextAt !== null }, error.message);
    await account.messages.failed(taken, error, nextAt, at);
    if (channelId !== null) await account.channels.arrived(channelId, at);
    return;
  }
  await account.messages.sent(taken, now());
  if (channelId !== null) await account.channels.arrived(channelId, null);
}

async function attempt({ id, appId, channelId, message }: Taken, parts: SendParts): Promise<void> {
  const channel = channelId === null ? null : await parts.account.channels.find(appId, channelId);
  if (channel === null) throw new SendError('CHANNEL_GONE');
  await sendMessage(channel, id, Message.parse(message), parts);
}

/** Null: there is no further attempt. */
function nextOf({ attempts }: Pick<Taken, 'attempts'>, error: SendError, now: Date): Date | null {
  const seconds = AGAIN_SECONDS[attempts - 1];
  if (error.final || seconds === undefined) return null;
  const wanted = Math.min(error.retryAfter ?? 0, MOST_SECONDS);
  return new Date(now.getTime() + Math.max(seconds, wanted) * 1_000);
}
