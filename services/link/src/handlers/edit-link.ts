import { type Context, type Outcome, told } from '@landfall/bus';
import { type EditLink, type InputOf, LinkEdited, labelsOf } from '@landfall/contracts';
import { edited } from '../domain/edit.ts';
import type { LinkRepository } from '../link-repository.ts';

export function editLink(links: LinkRepository) {
  return (edit: InputOf<typeof EditLink>, context: Context): Promise<Outcome<typeof EditLink>> =>
    links.transaction(async (tx): Promise<Outcome<typeof EditLink>> => {
      const before = await links.lock(tx, edit.linkId);
      if (!before) return { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
      // This runs under the lock, so that a second delivery sees the edit of the first one.
      const { actor, teamId } = edit;
      const by = { messageId: context.id, actor, teamId, at: context.now };
      const changed = await links.edit(tx, by, before, async () =>
        edit.ifVersion !== null && edit.ifVersion !== before.version
          ? { refusal: { code: 'VERSION_MISMATCH', facts: { version: before.version } } }
          : { done: edited(before, edit, context.now) },
      );
      if ('refusal' in changed) return changed;
      const { id: linkId, metadata, createdAt: _, ...state } = changed.done;
      const labels = labelsOf(metadata, edit.labelKeys);
      return { reply: { link: changed.done }, events: [told(LinkEdited, { linkId, ...state, labels })] };
    });
}
