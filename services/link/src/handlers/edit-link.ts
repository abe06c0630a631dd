import { type Context, type Outcome, told } from '@landfall/bus';
import { type EditLink, type InputOf, type Link, LinkEdited } from '@landfall/contracts';
import { edited } from '../domain/edit.ts';
import type { LinkRepository } from '../link-repository.ts';

export function editLink(links: LinkRepository) {
  return (edit: InputOf<typeof EditLink>, context: Context): Promise<Outcome<typeof EditLink>> =>
    links.transaction(async (tx): Promise<Outcome<typeof EditLink>> => {
      const before = await links.lock(tx, edit.linkId);
      if (!before) return { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
      // Under the lock: an edit that was done before is answered with what it did then.
      const done = await links.findEdit(tx, context.id);
      if (!done && edit.ifVersion !== null && edit.ifVersion !== before.version)
        return { refusal: { code: 'VERSION_MISMATCH', facts: { version: before.version } } };
      const link = done ?? edited(before, edit, context.now);
      if (!done) {
        const { actor, teamId } = edit;
        links.storeEdit(tx, { messageId: context.id, actor, teamId, before, link, at: context.now });
      }
      return { reply: { link }, events: [told(LinkEdited, said(link))] };
    });
}

function said({ id: linkId, metadata: _, createdAt: __, ...state }: Link) {
  return { linkId, ...state };
}
