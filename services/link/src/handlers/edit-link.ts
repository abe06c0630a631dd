import { type Context, type Outcome, told } from '@landfall/bus';
import { type EditLink, type InputOf, type Link, LinkEdited, labelsOf, MAX_APP_TAGS } from '@landfall/contracts';
import { edited } from '../domain/edit.ts';
import type { LinkRepository } from '../repositories/link-repository.ts';

export function editLink(links: LinkRepository) {
  return (edit: InputOf<typeof EditLink>, context: Context): Promise<Outcome<typeof EditLink>> =>
    links.transaction(async (tx): Promise<Outcome<typeof EditLink>> => {
      const before = await links.lock(tx, edit.linkId);
      if (!before) return { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
      // This runs under the lock, so that a second delivery sees the edit of the first one.
      const { actor, teamId } = edit;
      const by = { messageId: context.id, actor, teamId, at: context.now };
      const changed = await links.edit(tx, by, before, async () => {
        if (edit.ifVersion !== null && edit.ifVersion !== before.version)
          return { refusal: { code: 'VERSION_MISMATCH', facts: { version: before.version } } };
        const { tags = [] } = edit;
        if (tags.length > 0 && (await links.tagsWith(tx, before.appId, tags)) > MAX_APP_TAGS)
          return { refusal: { code: 'TOO_MANY_TAGS', facts: { limit: MAX_APP_TAGS } } };
        return { done: edited(before, edit, context.now) };
      });
      if ('refusal' in changed) return changed;
      const link = changed.done;
      return { reply: { link }, events: [told(LinkEdited, stateOf(link, edit.labelKeys))] };
    });
}

/** The note stays here, and the other pages of the link too. */
function stateOf(link: Link, labelKeys: readonly string[]) {
  const { id: linkId, appId, slug, destination, expiresAt, archivedAt, version, name, tags, metadata } = link;
  const labels = labelsOf(metadata, labelKeys);
  return { linkId, appId, slug, destination, expiresAt, archivedAt, version, labels, name: name ?? null, tags };
}
