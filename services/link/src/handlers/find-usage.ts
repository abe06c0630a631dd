import type { Context, Outcome } from '@landfall/bus';
import type { FindUsage, InputOf } from '@landfall/contracts';
import type { LinkRepository } from '../link-repository.ts';

export function findUsage(links: LinkRepository) {
  return async ({ appId, month }: InputOf<typeof FindUsage>, _: Context): Promise<Outcome<typeof FindUsage>> => ({
    reply: { linksCreated: await links.usedIn(appId, month) },
  });
}
