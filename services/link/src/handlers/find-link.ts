import type { Handler } from '@landfall/bus';
import type { FindLink } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function findLink(links: LinkRepository): Handler<typeof FindLink> {
  return async (batch) => {
    const found = await links.findById(batch.map((message) => message.data.linkId));
    return batch.map(({ data }) => {
      const link = found.get(data.linkId);
      return link ? { reply: { link } } : { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
    });
  };
}
