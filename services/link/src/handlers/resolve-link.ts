import type { Handler } from '@landfall/bus';
import type { ResolveLink } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function resolveLink(links: LinkRepository): Handler<typeof ResolveLink> {
  return async (batch) => {
    const found = await links.resolve(batch.map((message) => message.data));
    return batch.map(({ data }) => {
      const link = found.get(`${data.appId}/${data.slug}`);
      return link ? { reply: { link } } : { refusal: { code: 'LINK_NOT_FOUND', facts: {} } };
    });
  };
}
