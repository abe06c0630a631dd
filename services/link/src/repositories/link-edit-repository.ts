// Stores edits of links, each with its entry for the audit log.
import {
  Actor,
  type AuditEntry,
  type InputOf,
  type JsonObject,
  type Link,
  type ListLinkEdits,
} from '@landfall/contracts';
import {
  type ChangedOnce,
  changeOnce,
  type Database,
  type LinkEdit,
  Prisma,
  type Refused,
  type SqlTransaction,
} from '@landfall/db';
import { changesOf, isManaged } from '../domain/edit.ts';
import { countTags } from './tag-repository.ts';

const toEntry = (row: Omit<LinkEdit, 'reply'>): AuditEntry => ({
  id: row.messageId,
  at: row.at.toISOString(),
  actor: { kind: Actor.shape.kind.parse(row.actorKind), userId: row.actorUserId, tokenId: row.tokenId },
  address: row.address && Buffer.from(row.address).toString('base64url'),
  // Edits before the audit log have neither state.
  action: row.before === null && row.after !== null ? 'CreateLink' : 'EditLink',
  teamId: row.teamId,
  appId: row.appId,
  subject: row.linkId,
  before: row.before as JsonObject | null,
  after: row.after as JsonObject | null,
});

/** An entry of a link that was made. See {@link toEntry}. */
const isCreated = { before: { equals: Prisma.DbNull }, after: { not: Prisma.DbNull } };

/** Returns the creations and edits in a team, or in all, latest first, after the row that the cursor names. */
export async function listEdits(
  { prisma }: Database,
  {
    teamId,
    appId,
    userId,
    actorKind,
    linkId,
    anyTeam,
    action,
    from,
  }: Omit<InputOf<typeof ListLinkEdits>, 'limit' | 'cursor'>,
  limit: number,
  after: { at: Date; id: string } | null,
): Promise<AuditEntry[]> {
  const rows = await prisma.linkEdit.findMany({
    where: {
      ...(!anyTeam && { teamId }),
      ...(appId && { appId }),
      ...(userId && { actorUserId: userId }),
      ...(actorKind && { actorKind }),
      ...(linkId && { linkId }),
      ...(action === 'CreateLink' && isCreated),
      ...(action === 'EditLink' && { NOT: isCreated }),
      ...(from && { AND: { at: { gte: new Date(from) } } }),
      ...(after && { at: { lte: after.at }, OR: [{ at: { lt: after.at } }, { messageId: { lt: after.id } }] }),
    },
    omit: { reply: true },
    orderBy: [{ at: 'desc' }, { messageId: 'desc' }],
    take: limit,
  });
  return rows.map(toEntry);
}

export interface By {
  messageId: string;
  actor: Actor;
  teamId: string | null;
  at: Date | string;
}

/** Edits a locked link once: a second delivery of the message gets the link from the first one. */
export function editOnce<const R extends Refused | { done: Link }>(
  tx: SqlTransaction,
  by: By,
  before: Link,
  decide: () => Promise<R>,
): Promise<ChangedOnce<R>> {
  const find = async () => {
    const [row] = await tx.rows<{ reply: Link }>('select reply from link.edits where message_id = $1', [by.messageId]);
    return row?.reply ?? null;
  };
  return changeOnce<R>({ find, keep: ({ done: link }) => storeEdit(tx, by, before, link) }, decide);
}

const UPDATE = `
  update link.links set destination = $2, metadata = $3::json, expires_at = $4, archived_at = $5, version = $6,
    name = $7, note = $8, tags = $9, web_url = $10, ios_url = $11, android_url = $12, expired_url = $13,
    managed = managed or $14
  where id = $1`;

/** Returns the values that people give a link, in the order of the statements that store them. */
export function valuesOfPeople(link: Link): readonly unknown[] {
  const { name = null, note = null, tags = [], webUrl = null, iosUrl = null, androidUrl = null } = link;
  return [name, note, tags, webUrl, iosUrl, androidUrl, link.expiredUrl ?? null];
}

function storeEdit(tx: SqlTransaction, by: By, before: Link, link: Link): void {
  const { tags = [] } = link;
  tx.send(UPDATE, [
    link.id,
    link.destination,
    JSON.stringify(link.metadata),
    link.expiresAt,
    link.archivedAt,
    link.version,
    ...valuesOfPeople(link),
    isManaged(link),
  ]);
  const had = before.tags ?? [];
  const added = tags.filter((tag) => !had.includes(tag));
  countTags(tx, link.appId, { added, removed: had.filter((tag) => !tags.includes(tag)) });
  storeEntry(tx, by, link, changesOf(before, link));
}

/** @param link the link after the change */
export function storeEntry(
  tx: SqlTransaction,
  { messageId, actor, teamId, at }: By,
  link: Link,
  { before, after }: { before: JsonObject | null; after: JsonObject },
): void {
  tx.send(
    `insert into link.edits (message_id, link_id, reply, at, team_id, app_id, actor_kind, actor_user_id, token_id, address,
       before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      messageId,
      link.id,
      JSON.stringify(link),
      at,
      teamId,
      link.appId,
      actor.kind,
      actor.userId,
      actor.tokenId,
      actor.address === null ? null : Buffer.from(actor.address, 'base64url'),
      before && JSON.stringify(before),
      JSON.stringify(after),
    ],
  );
}
