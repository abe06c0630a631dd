// The links that a person has selected: those of a list, or all that a filter finds.
import type { paths } from '@landfall/api-client';
import { AGAIN_MS, ApiFailure, client } from '../../../api/index.ts';
import { LINKS, type LinkFilter, type ListAnswer, type ListedLink, type Range, type Total } from '../list/view.ts';
import { PAGE } from '../queries.ts';

export type Selection =
  | { links: ReadonlyMap<string, ListedLink> }
  /** `range`: of the figures. */
  | { filter: LinkFilter; range: Range; total: Total };

export const countOf = (selection: Selection): Total =>
  'links' in selection ? { count: selection.links.size, exact: true } : selection.total;

type Body = NonNullable<
  paths['/api/manage/apps/{appId}/links/edit-bulk']['post']['requestBody']
>['content']['application/json'];
/** What becomes of each link. */
export type Change = Pick<Body, 'addTags' | 'removeTags' | 'utm' | 'expiresAt' | 'archived'>;

/** A form that asks for a change, or for the look of QR codes. */
export type Asking = 'tags' | 'campaign' | 'expiry' | 'qr';

export interface Changed {
  ids: string[];
  /** Links that could not be changed, by the reason. */
  faults: ReadonlyMap<string, number>;
}

export interface Work {
  appId: string;
  signal: AbortSignal;
  /** Gets the number of links that are done. */
  onProgress: (done: number) => void;
}

/** The most links that a filter may name in one request. */
const MOST_BY_FILTER = 1_000;
/** The links of one request, so that a person sees progress and can stop it. */
const AT_ONCE = 250;

/** Yields the selected links, page by page. Stops when it is aborted. */
export async function* linksIn(selection: Selection, { appId, signal }: Work): AsyncGenerator<ListedLink[]> {
  if ('links' in selection) {
    yield [...selection.links.values()];
    return;
  }
  const { filter, range } = selection;
  let cursor: string | null = null;
  do {
    const query = { limit: PAGE, ...filter, range, ...(cursor !== null && { cursor }) };
    const ask = () => client.GET(LINKS, { params: { path: { appId }, query }, signal });
    const data: ListAnswer = await unhurried<ListAnswer>(ask, signal);
    yield data.links;
    cursor = data.next;
  } while (cursor !== null && !signal.aborted);
}

/** Changes the links. What was changed stays changed when it is stopped. */
export async function changeLinks(selection: Selection, change: Change, work: Work): Promise<Changed> {
  if ('filter' in selection && selection.total.exact && selection.total.count <= MOST_BY_FILTER) {
    // All at once: nothing is changed if the filter finds another number of links meanwhile.
    const { filter, total } = selection;
    return outcomesOf([await sent({ filter, expectedCount: total.count, ...change }, work)]);
  }
  const ids: string[] = [];
  // First all ids: a change may take links out of the filter.
  for await (const links of linksIn(selection, work)) ids.push(...links.map(({ id }) => id));
  return changeIds(ids, change, work);
}

export async function changeIds(ids: readonly string[], change: Change, work: Work): Promise<Changed> {
  const answers: Answer[] = [];
  for (let from = 0; from < ids.length && !work.signal.aborted; from += AT_ONCE) {
    answers.push(await sent({ ids: ids.slice(from, from + AT_ONCE), ...change }, work));
    work.onProgress(Math.min(ids.length, from + AT_ONCE));
  }
  return outcomesOf(answers);
}

type Answer = Awaited<ReturnType<typeof sent>>;

/** A request that was sent is not taken back: its answer says what was changed. */
const sent = (body: Body, { appId, signal }: Work) =>
  unhurried(
    () => client.POST('/api/manage/apps/{appId}/links/edit-bulk', { params: { path: { appId } }, body }),
    signal,
  );

function outcomesOf(answers: readonly Answer[]): Changed {
  const ids: string[] = [];
  const faults = new Map<string, number>();
  for (const outcome of answers.flatMap(({ outcomes }) => outcomes)) {
    if (outcome.success) {
      ids.push(outcome.id);
      continue;
    }
    const reason = outcome.details?.map(({ path, message }) => `${path} ${message}`).join('; ') || outcome.error;
    faults.set(reason, (faults.get(reason) ?? 0) + 1);
  }
  return { ids, faults };
}

/** Sends a request, and sends it again when there were too many within a minute. */
async function unhurried<T>(send: () => Promise<{ data?: T }>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return (await send()).data!;
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 429) || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
