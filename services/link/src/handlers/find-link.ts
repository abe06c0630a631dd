import type { Handler } from '@landfall/bus';
import type { FindLink } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function findLink(links: LinkRepository): Handler<typeof FindLink> {
  return async (batch) => {
    const found = await links.findById(batch.map((message) => message.data.linkId));
    return batch.map(({ data }) => {
      const stored = found.get(data.linkId);
      if (!stored) return { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
      const { inputHash: _, ...link } = stored;
      return { reply: { link } };
    });
  };
}
