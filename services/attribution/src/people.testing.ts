// Requests of phones and browsers, for the tests of the handlers.
import {
  type InputOf,
  LinkClicked,
  LinkOpened,
  type Match,
  RecordHeartbeat,
  ReleaseRestore,
  RestoreLinks,
  StorePendingLink,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { createLogger } from '@landfall/runtime';
import type { Fixture } from '@landfall/testkit';
import { restoreLinks } from './handlers/restore-links.ts';
import { createNewDevices } from './new-devices.ts';
import { APP, clicked, HOME, hashOf, heartbeat, id, NOON, toRestore, toStore } from './values.testing.ts';

type Answer<R> = { ok: true; reply: R } | { ok: false; refusal: { code: string } };

export function replyOf<R>(answer: Answer<R>): R {
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

const named = (messageId: string | undefined) => (messageId === undefined ? {} : { id: messageId });

export const phone = (n: number) => ({ fingerprint: hashOf(`phone ${n}`) });

/** @param fixture read when something is sent: each test has its own */
export function peopleOf(fixture: Pick<Fixture, 'bus' | 'database'>) {
  const restore = async (question: Parameters<typeof toRestore>[0] = {}, messageId?: string) =>
    replyOf(await fixture.bus.ask(RestoreLinks, toRestore(question), named(messageId)));
  return {
    tap: (click: Parameters<typeof clicked>[0] = {}, messageId?: string) =>
      fixture.bus.tell(LinkClicked, clicked(click), named(messageId)),
    store: async (link: Parameters<typeof toStore>[0] = {}) =>
      replyOf(await fixture.bus.ask(StorePendingLink, toStore(link))).pendingLinkId,
    beat: async (from: Parameters<typeof heartbeat>[0] = {}, messageId?: string) =>
      replyOf(await fixture.bus.ask(RecordHeartbeat, heartbeat(from), named(messageId))).isFirstLaunch,
    restore,
    /** Returns the links that are given. */
    restored: async (question: Parameters<typeof toRestore>[0] = {}, messageId?: string) =>
      (await restore(question, messageId)).matches.map(({ linkId }) => linkId),
    release: async (restoreId: string, lost = false) =>
      replyOf(await fixture.bus.ask(ReleaseRestore, { restoreId, lost })).released,
    open: (address: string | null = HOME, linkId = id(1), now?: Date) =>
      fixture.bus.tell(LinkOpened, { appId: APP, linkId, address }, { id: id(0x900), ...(now && { now }) }),
    rows: (columns: string, table: string) => fixture.database.rows(`select ${columns} from attribution.${table}`),
  };
}

/** Returns what asks the handler for one restore at noon, each in a batch and a transaction of its own. */
export function restorerOf(database: Database) {
  const log = createLogger({ service: 'test', level: 'silent' });
  const handler = restoreLinks(database, log, { late: () => false }, createNewDevices());
  return async (id: string, data: InputOf<typeof RestoreLinks>, expired = false): Promise<Match[]> => {
    const context = { id, now: NOON, idFor: (name: string) => name, expired: () => expired };
    const [outcome] = await handler([{ data, context }]);
    if (!outcome || !('reply' in outcome)) throw new Error('refused');
    return outcome.reply.matches;
  };
}
