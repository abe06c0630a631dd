// Reads the audit log of a team. Three services keep it: the account service its own changes, the link service edits of
// links, and the push service changes of pushes. This file joins them.
import type { Bus } from '@landfall/bus';
import {
  type AuditEntry,
  cursorAfter,
  FindPerson,
  type InputOf,
  ListAudit,
  ListLinkEdits,
  ListPushChanges,
  type ReplyOf,
  readCursor,
} from '@landfall/contracts';
import { orRefuse, type Uses } from './route.ts';

/** Returns a page of the log, latest first. Emails are sealed. Edits of links belong to a team. */
export async function readAudit(asked: InputOf<typeof ListAudit>, { bus }: Uses<'bus'>): Promise<Page<AuditEntry>> {
  const { teamId } = asked;
  if (teamId === null) return orRefuse(await bus.ask(ListAudit, asked));
  const [account, links, pushes] = await Promise.all([
    bus.ask(ListAudit, asked),
    bus.ask(ListLinkEdits, { ...asked, teamId }),
    bus.ask(ListPushChanges, { ...asked, teamId }),
  ]);
  const others = [orRefuse(links), orRefuse(pushes)].map((page) => withEmails(page, bus));
  return mergePages([orRefuse(account), ...(await Promise.all(others))], asked.limit);
}

/** Returns a page of the edits of one link, latest first. Emails are sealed. */
export async function readLinkHistory(
  asked: Pick<InputOf<typeof ListLinkEdits>, 'teamId' | 'limit' | 'cursor'> & { linkId: string },
  { bus }: Uses<'bus'>,
): Promise<Page<AuditEntry>> {
  return withEmails(orRefuse(await bus.ask(ListLinkEdits, { ...asked, appId: null, userId: null })), bus);
}

/** Adds emails, because the other services know only the ids of people. */
async function withEmails(
  page: ReplyOf<typeof ListLinkEdits | typeof ListPushChanges>,
  bus: Bus,
): Promise<Page<AuditEntry>> {
  const ids = new Set(page.entries.map(({ actor }) => actor.userId).filter((id) => id !== null));
  const emails = new Map(
    await Promise.all(
      [...ids].map(async (userId) => {
        const found = await bus.ask(FindPerson, { userId });
        return [userId, found.ok ? found.reply.person.email : null] as const;
      }),
    ),
  );
  const entries = page.entries.map((entry) => ({ ...entry, actorEmail: emails.get(entry.actor.userId ?? '') ?? null }));
  return { entries, next: page.next };
}

export interface Page<E> {
  entries: E[];
  /** The cursor after the entries. Null when no more follow. */
  next: string | null;
}

/**
 * Joins pages of several lists, each latest first, into one page with one cursor. The entries of a list beyond its own
 * cursor are unknown. So entries of other lists that lie there wait for a later page.
 */
export function mergePages<E extends { at: string; id: string }>(pages: readonly Page<E>[], limit: number): Page<E> {
  const [known = null] = pages
    .map(({ next }) => readCursor(next))
    .filter((end) => end !== null)
    .sort(latestFirst);
  const entries = pages
    .flatMap((page) => page.entries)
    .map((entry) => ({ entry, at: new Date(entry.at), id: entry.id }))
    .filter((place) => known === null || latestFirst(place, known) <= 0)
    .sort(latestFirst);
  const kept = entries.slice(0, limit);
  const end = entries.length > limit ? kept.at(-1)! : known;
  return { entries: kept.map(({ entry }) => entry), next: end && cursorAfter(end) };
}

interface Place {
  at: Date;
  id: string;
}

const latestFirst = (a: Place, b: Place): number =>
  b.at.getTime() - a.at.getTime() || (a.id === b.id ? 0 : a.id > b.id ? -1 : 1);
