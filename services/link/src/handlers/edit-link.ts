import { type Context, type Outcome, told } from '@landfall/bus';
import { type EditLink, type InputOf, type Link, LinkEdited } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function editLink(links: LinkRepository) {
  return (edit: InputOf<typeof EditLink>, context: Context): Promise<Outcome<typeof EditLink>> =>
    links.transaction(async (tx) => {
      const before = await links.lock(tx, edit.linkId);
      if (!before) return { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
      // Under the lock: an edit that was done before is answered with what it did then.
      const link =
        (await links.findEdit(tx, context.id)) ??
        (await links.storeEdit(tx, {
          messageId: context.id,
          linkId: edit.linkId,
          expiresAt: edit.expiresAt === undefined ? before.expiresAt : edit.expiresAt,
          archivedAt: archivedAt(before, edit.archived, context.now),
          at: context.now,
        }));
      const { id: linkId, metadata: _, createdAt: __, ...rest } = link;
      return { reply: { link }, events: [told(LinkEdited, { linkId, ...rest })] };
    });
}

/** Archiving what is archived keeps its time. */
function archivedAt(link: Link, archived: boolean | undefined, now: Date): string | null {
  if (archived === undefined) return link.archivedAt;
  return archived ? (link.archivedAt ?? now.toISOString()) : null;
}
