// Routes of the audit log of a team: page by page, or the whole log as a file.

import { AuditEntry } from '@landfall/contracts';
import { Download } from '@landfall/http';
import { z } from 'zod';
import { allPages, asCsv, CSV, csvFile } from '../analytics/csv.ts';
import { id, linkParams, next, pageQuery, teamParams } from '../routes/manage-fields.ts';
import { type ConsoleParts, manageRoute } from '../routing/route.ts';
import { type AuditQuery, readAudit, readLinkHistory } from './audit-log.ts';

const shared = { needs: { role: 'admin', of: 'team' }, params: teamParams } as const;

const { id: entryId, at, actor, ...rest } = AuditEntry.shape;
export const auditView = z.object({
  id: entryId,
  at,
  actor,
  actorEmail: z.string().nullable().describe('The current email.'),
  ...rest,
});
type AuditView = z.input<typeof auditView>;

const filter = {
  appId: id().optional().describe('Only changes to this app.'),
  userId: id().optional().describe('Only changes by this person, or by a token of this person.'),
};

const ofTeam = { teamId: id().optional().describe('If omitted: entries that belong to no team.') };

export const listAudit = manageRoute({
  ...shared,
  method: 'GET',
  path: '/api/manage/teams/:teamId/audit',
  name: 'listAudit',
  summary: 'List the changes in a team and who made them, latest first',
  query: pageQuery.extend(filter),
  reply: z.object({ entries: z.array(auditView), next: next() }),
  async handle({ params: { teamId }, query }, parts) {
    return readAudit({ teamId, ...filterOf(query), limit: query.limit, cursor: query.cursor ?? null }, parts);
  },
});

export const listInstanceAudit = manageRoute({
  method: 'GET',
  path: '/api/manage/audit',
  name: 'listInstanceAudit',
  summary: 'List the changes in any team, also a deleted one, or outside teams: sign-ins and passwords',
  needs: 'instance-owner',
  query: pageQuery.extend({ ...ofTeam, ...filter }),
  reply: z.object({ entries: z.array(auditView), next: next() }),
  async handle({ query: { teamId = null, limit, cursor = null, ...query } }, parts) {
    return readAudit({ teamId, ...filterOf(query), limit, cursor }, parts);
  },
});

const JSON_LINES = 'application/x-ndjson';
const file = { downloads: [CSV, JSON_LINES], reply: z.instanceof(Download) };
const fileFormat = {
  format: z.enum(['csv', 'jsonl']).default('jsonl').describe('`jsonl`: one entry per line, in the format of the list.'),
};

export const exportAudit = manageRoute({
  ...shared,
  method: 'GET',
  path: '/api/manage/teams/:teamId/audit/export',
  name: 'exportAudit',
  summary: 'Download all changes in a team as a file, latest first',
  query: z.object({ ...fileFormat, ...filter }),
  ...file,
  async handle({ params: { teamId }, query }, parts) {
    return fileOf({ teamId, ...filterOf(query) }, query.format, parts);
  },
});

export const exportInstanceAudit = manageRoute({
  method: 'GET',
  path: '/api/manage/audit/export',
  name: 'exportInstanceAudit',
  summary: 'Download the changes in any team, or outside teams, as a file, latest first',
  needs: 'instance-owner',
  query: z.object({ ...fileFormat, ...ofTeam, ...filter }),
  ...file,
  async handle({ query }, parts) {
    return fileOf({ teamId: query.teamId ?? null, ...filterOf(query) }, query.format, parts);
  },
});

export const getLinkHistory = manageRoute({
  method: 'GET',
  path: '/api/manage/links/:linkId/history',
  name: 'getLinkHistory',
  summary: 'List the changes of a link and who made them, latest first, as long as the audit log is kept',
  needs: { role: 'viewer', of: 'link', except: 'visitors' },
  params: linkParams,
  query: pageQuery,
  reply: z.object({ entries: z.array(auditView), next: next() }),
  async handle({ params: { linkId }, query: { limit, cursor = null } }, parts) {
    const { app } = await parts.lookups.existingLink(linkId);
    return readLinkHistory({ teamId: app.teamId, linkId, limit, cursor }, parts);
  },
});

const filterOf = ({ appId, userId }: { appId?: string | undefined; userId?: string | undefined }) => ({
  appId: appId ?? null,
  userId: userId ?? null,
});

const PAGE = 100;

function fileOf(of: Omit<AuditQuery, 'limit' | 'cursor'>, format: 'csv' | 'jsonl', parts: ConsoleParts) {
  const pages = allPages(async (cursor) => {
    const { entries, next } = await readAudit({ ...of, limit: PAGE, cursor }, parts);
    return { rows: entries, next };
  });
  return format === 'csv'
    ? csvFile('audit', asCsv(columns, asRows(pages)))
    : new Download(JSON_LINES, 'audit.jsonl', asLines(pages));
}

async function* asRows(pages: AsyncIterable<readonly AuditView[]>) {
  for await (const entries of pages)
    yield entries.map((entry) => ({ ...entry, ...entry.actor, actor: entry.actor.kind }));
}

async function* asLines(pages: AsyncIterable<readonly AuditView[]>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

const columns = 'at action actor actorEmail userId tokenId address teamId appId subject before after id'.split(' ');
