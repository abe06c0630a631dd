// The messages that the link service answers.
import { type Bus, each, eachAtOnce } from '@landfall/bus';
import {
  CountLiveLinks,
  CreateLink,
  EditLink,
  FindLink,
  FindLinks,
  FindUsage,
  ListLinkEdits,
  ListLinkIds,
  ListLinks,
  ListLinkTags,
  ListLinkUtm,
  ResolveLink,
} from '@landfall/contracts';
import type { Database, Sql } from '@landfall/db';
import type { Logger } from '@landfall/runtime';
import { createLink } from './handlers/create-link.ts';
import { editLink } from './handlers/edit-link.ts';
import {
  countLiveLinks,
  findLink,
  findLinks,
  findUsage,
  listLinkEdits,
  listLinkIds,
  listLinks,
  listLinkTags,
  listLinkUtm,
  resolveLink,
} from './handlers/find-links.ts';
import { linkRepository } from './repositories/link-repository.ts';
import { hasSearchIndex } from './repositories/link-search-repository.ts';

export function linkService({ bus, database }: { bus: Bus; database: Database }): void {
  const links = linkRepository(database);

  bus.answer(ResolveLink, resolveLink(links));
  bus.answer(FindLink, findLink(links));
  bus.answer(FindLinks, each(findLinks(links)));
  bus.answer(ListLinks, each(listLinks(links)));
  bus.answer(ListLinkIds, each(listLinkIds(links)));
  bus.answer(ListLinkTags, each(listLinkTags(links)));
  bus.answer(ListLinkUtm, each(listLinkUtm(links)));
  bus.answer(FindUsage, each(findUsage(links)));
  // It reads every link of the app. Only a person who archives an app asks for it.
  bus.answer(CountLiveLinks, eachAtOnce(countLiveLinks(links)));
  bus.answer(ListLinkEdits, each(listLinkEdits(links)));

  bus.answer(CreateLink, createLink(links));
  bus.answer(EditLink, each(editLink(links)));
}

/** Logs when PostgreSQL has no index for the search inside links. It still works, and reads many links for a page. */
export async function warnWithoutSearch(sql: Sql, log: Logger): Promise<void> {
  if (await hasSearchIndex(sql)) return;
  log.warn('the search inside links has no index: see "The search inside links" in docs/guides/scaling-out.md');
}
