// Reads the audit log of a team. Three parts of the product keep it: the console its own changes, the link service edits
// of links, and the push service changes of pushes. This file joins them.
import {
  type AuditEntry,
  cursorAfter,
  ListLinkEdits,
  ListPushChanges,
  nextCursor,
  readCursor,
} from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import type { ConsoleParts } from '../routing/route.ts';
import type { Place } from '../rows.ts';
import type { AuditOf } from './audit-repository.ts';

export type AuditQuery = AuditOf & { limit: number; cursor: string | null };
/** An entry with the current email of the person. */
export type SignedEntry = AuditEntry & { actorEmail: string | null };

/** Returns a page of the log, latest first. Edits of links and pushes belong to a team. */
export async function readAudit(asked: AuditQuery, { account, bus }: ConsoleParts): Promise<Page<SignedEntry>> {
  const { teamId, limit, cursor } = asked;
  const own = async () => {
    const entries = await account.audit.list(asked, limit, readCursor(cursor));
    return { entries, next: nextCursor(entries, limit, ({ at }) => at) };
  };
  const pages =
    teamId === null
      ? [await own()]
      : await Promise.all([
          own(),
          bus.ask(ListLinkEdits, { ...asked, teamId }).then(orRefuse),
          bus.ask(ListPushChanges, { ...asked, teamId }).then(orRefuse),
        ]);
  return withEmails(mergePages(pages, limit), account);
}

/** Returns a page of the edits of one link, latest first. */
export async function readLinkHistory(
  asked: { teamId: string | null; linkId: string; limit: number; cursor: string | null },
  { account, bus }: ConsoleParts,
): Promise<Page<SignedEntry>> {
  return withEmails(orRefuse(await bus.ask(ListLinkEdits, { ...asked, appId: null, userId: null })), account);
}

async function withEmails({ entries, next }: Page<AuditEntry>, { audit }: ConsoleParts['account']) {
  const ids = new Set(entries.map(({ actor }) => actor.userId).filter((id) => id !== null));
  const emails = await audit.emailsOf([...ids]);
  const signed = entries.map((entry) => ({ ...entry, actorEmail: emails.get(entry.actor.userId ?? '') ?? null }));
  return { entries: signed, next };
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

const latestFirst = (a: Place, b: Place): number =>
  b.at.getTime() - a.at.getTime() || (a.id === b.id ? 0 : a.id > b.id ? -1 : 1);
