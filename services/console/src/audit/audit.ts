import {
  Actor,
  AuditEntry,
  cursorAfter,
  ListLinkEdits,
  ListPushChanges,
  nextCursor,
  readCursor,
  text,
} from '@landfall/contracts';
import { download, orRefuse, Reply } from '@landfall/http';
import { z } from 'zod';
import { withNames } from '../analytics/asked.ts';
import { allPages, asCsv, CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, id, next, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import type { Place } from '../rows.ts';
import type { AuditOf } from './audit-repository.ts';

const { id: entryId, at, actor, ...rest } = AuditEntry.shape;
export const auditView = z.object({
  id: entryId,
  at,
  actor,
  actorEmail: z.string().nullable().describe('The current email.'),
  ...rest,
  subjectName: z
    .string()
    .nullable()
    .describe(
      'The name of the link that was changed, or else its destination; or the email of the person whom a change of members, a reset of a password or of a second factor was about. As it is now. Null: neither.',
    ),
});
type AuditView = z.input<typeof auditView>;

const filter = {
  appId: id().optional().describe('Only changes to this app.'),
  userId: id().optional().describe('Only changes by this person, or by a token of this person.'),
  actorKind: Actor.shape.kind.optional().describe('Only changes by people, by tokens, or by the operator.'),
  action: text(100).optional().describe('Only changes of this kind, such as `EditLink`.'),
  from: anyTime()
    .optional()
    .describe('Only changes since this time.')
    .transform((given) => given && new Date(given).toISOString()),
};

const anyTeam = {
  teamId: z
    .union([id(), z.literal('none')])
    .optional()
    .describe('`none`: only changes outside teams, such as sign-ins and passwords. If omitted: all changes.')
    .transform((given) => (given === 'none' ? null : given)),
};

export const listAudit = manageRoute('GET /api/manage/teams/:teamId/audit', {
  summary: 'List the changes in a team and who made them, latest first',
  needs: { role: 'admin', of: 'team' },
  query: pageQuery.extend(filter),
  reply: z.object({ entries: z.array(auditView), next: next() }),
  handle: ({ params, query }, parts) => readAudit({ ...params, ...query }, parts),
});

export const listInstanceAudit = manageRoute('GET /api/manage/audit', {
  summary:
    'List all changes, latest first: in a team, also a deleted one, or outside teams, such as sign-ins and passwords',
  needs: 'instance-owner',
  query: pageQuery.extend({ ...anyTeam, ...filter }),
  reply: z.object({ entries: z.array(auditView), next: next() }),
  handle: ({ query }, parts) => readAudit(query, parts),
});

const JSON_LINES = 'application/x-ndjson';
const file = { downloads: [CSV, JSON_LINES], reply: z.instanceof(Reply) };
const fileFormat = {
  format: z.enum(['csv', 'jsonl']).default('jsonl').describe('`jsonl`: one entry per line, in the format of the list.'),
};

export const exportAudit = manageRoute('GET /api/manage/teams/:teamId/audit/export', {
  summary: 'Download all changes in a team as a file, latest first',
  needs: { role: 'admin', of: 'team' },
  query: z.object({ ...fileFormat, ...filter }),
  ...file,
  handle: async ({ params, query }, parts) => fileOf({ ...params, ...query }, parts),
});

export const exportInstanceAudit = manageRoute('GET /api/manage/audit/export', {
  summary: 'Download all changes as a file, latest first: in a team or outside teams',
  needs: 'instance-owner',
  query: z.object({ ...fileFormat, ...anyTeam, ...filter }),
  ...file,
  handle: async ({ query }, parts) => fileOf(query, parts),
});

export const getLinkHistory = manageRoute('GET /api/manage/links/:linkId/history', {
  summary: 'List the changes of a link and who made them; latest first, as long as the audit log is kept',
  needs: { role: 'viewer', of: 'link', except: 'visitors' },
  query: pageQuery,
  reply: z.object({ entries: z.array(auditView), next: next() }),
  async handle({ params: { linkId }, query }, parts) {
    const { teamId } = (await parts.lookups.existingLink(linkId)).app;
    const asked = { teamId, linkId, appId: null, userId: null, ...query };
    return signed(await parts.forward(ListLinkEdits, asked), parts);
  },
});

function fileOf({ format, ...of }: AuditOf & { format: 'csv' | 'jsonl' }, parts: ConsoleParts) {
  const pages = allPages(async (cursor) => {
    const { entries, next } = await readAudit({ ...of, limit: 100, cursor }, parts);
    return { rows: entries, next };
  });
  return format === 'csv'
    ? csvFile('audit', asCsv(columns, asRows(pages)))
    : download(JSON_LINES, 'audit.jsonl', asLines(pages));
}

async function* asRows(pages: AsyncIterable<readonly AuditView[]>) {
  for await (const entries of pages)
    yield entries.map((entry) => ({ ...entry, ...entry.actor, actor: entry.actor.kind }));
}

async function* asLines(pages: AsyncIterable<readonly AuditView[]>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

const columns = 'at action actor actorEmail userId tokenId address teamId appId subject before after id'.split(' ');

type AuditQuery = AuditOf & { limit: number; cursor: string | null };

/** Returns a page of the log, latest first. Edits of links and pushes belong to a team, or to an app of the operator. */
async function readAudit(asked: AuditQuery, parts: ConsoleParts) {
  const { account, bus } = parts;
  const { teamId, appId = null, userId = null, actorKind, action, from, limit, cursor } = asked;
  const own = async () => {
    const entries = await account.audit.list(asked, limit, readCursor(cursor));
    return { entries, next: nextCursor(entries, limit, ({ at }) => at) };
  };
  const of = {
    teamId: teamId ?? null,
    anyTeam: teamId === undefined,
    appId,
    userId,
    actorKind,
    action,
    from,
    limit,
    cursor,
  };
  const pages = await Promise.all([
    own(),
    bus.ask(ListLinkEdits, of).then(orRefuse),
    bus.ask(ListPushChanges, of).then(orRefuse),
  ]);
  return signed(mergePages(pages, limit), parts);
}

const OF_LINKS: ReadonlySet<string> = new Set(['CreateLink', 'EditLink']);
const OF_PEOPLE: ReadonlySet<string> = new Set(['SetRole', 'RemoveMember', 'ResetPassword', 'RemoveSecondFactor']);

/** Adds the emails of people, and the names of links: a change of these tells the changed values alone. */
async function signed({ entries, next }: Page<AuditEntry>, parts: ConsoleParts) {
  const personIn = ({ action, subject }: AuditEntry) => (OF_PEOPLE.has(action) ? subject : null);
  const ids = new Set(entries.flatMap((entry) => [entry.actor.userId, personIn(entry)]).filter((id) => id !== null));
  const links = entries.map(({ action, subject }) => ({ value: OF_LINKS.has(action) ? subject : null, name: null }));
  const [emails, named] = await Promise.all([
    parts.account.audit.emailsOf([...ids]),
    withNames<{ value: string | null; name: string | null }>(links, null, parts),
  ]);
  return {
    entries: entries.map((entry, place) => ({
      ...entry,
      actorEmail: emails.get(entry.actor.userId ?? '') ?? null,
      subjectName: named[place]!.name ?? emails.get(personIn(entry) ?? '') ?? null,
    })),
    next,
  };
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
