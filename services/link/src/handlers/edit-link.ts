import { type Context, type Outcome, told } from '@landfall/bus';
import { type EditLink, type InputOf, type Link, LinkEdited, labelsOf } from '@landfall/contracts';
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
      const link = changed.done;
      return { reply: { link }, events: [told(LinkEdited, said(link, edit.labelKeys))] };
    });
}

function said({ id: linkId, metadata, createdAt: _, ...state }: Link, labelKeys: readonly string[]) {
  return { linkId, ...state, labels: labelsOf(metadata, labelKeys) };
}
