import type { App, AuditEntry, paths } from '@landfall/api-client';
import { differencesOf } from '../../audit/entry-words.ts';
import type { WholeLink } from './facts.tsx';

type Tap =
  paths['/api/manage/links/{linkId}/taps']['get']['responses'][200]['content']['application/json']['taps'][number];

/** Returns the word of what became of a tap. A start may have asked for it, and not got it. */
export const wordOf = ({ state, restoreId }: Tap['outcome']) =>
  state === 'unclaimed' && restoreId !== null ? 'refused' : state;

/** Returns the word of where a tap was sent. An app without a store has the page that plays it in place of one. */
export const sentToOf = <A extends string>(answered: A, { simulated }: { simulated: boolean }) =>
  answered === 'store' && simulated ? 'simulated' : answered;

type Change = Pick<AuditEntry, 'action' | 'at' | 'before' | 'after'>;
type OwnPage = 'iosUrl' | 'androidUrl';

/** Returns the page of its own that a link had at a time. Null: none. Undefined: it is not known. */
export function pageAt(
  at: string,
  field: OwnPage,
  link: Pick<WholeLink, OwnPage | 'version'>,
  /** The latest changes of the link, latest first. Undefined: none are known. */
  history: readonly Change[] | undefined,
): string | null | undefined {
  if (link.version === 1) return link[field];
  const later = history?.filter((change) => Date.parse(change.at) > Date.parse(at)) ?? [];
  const oldest = history?.at(-1);
  // Changes before the oldest one may have been deleted, or are on a later page.
  if (oldest === undefined || (later.includes(oldest) && oldest.before?.version !== 1)) return undefined;
  const next = later.findLast((change) => differencesOf(change).some(({ path }) => path === field));
  return next === undefined ? link[field] : ((next.before?.[field] as string | undefined) ?? null);
}

/** Returns the word of where a tap on a link was sent: a page of the link itself, in place of a store, has its own. */
export function sentToOfLink(
  { answered, platform, at }: Pick<Tap, 'answered' | 'platform' | 'at'>,
  link: Pick<WholeLink, OwnPage | 'version'>,
  app: Pick<App, 'simulated'> & { android: Pick<App['android'], 'huaweiStoreUrl' | 'amazonStoreUrl'> },
  history: readonly Change[] | undefined,
) {
  if (answered !== 'store') return answered ?? 'unknown';
  if (platform !== 'ios' && platform !== 'android') return sentToOf(answered, app);
  const page = pageAt(at, platform === 'ios' ? 'iosUrl' : 'androidUrl', link, history);
  if (page === null) return sentToOf(answered, app);
  if (page !== undefined && platform === 'ios') return 'ownIos';
  const { huaweiStoreUrl, amazonStoreUrl } = app.android;
  // Its own page takes the place of Play alone, and a tap does not say which store its phone has.
  if (page !== undefined && huaweiStoreUrl === null && amazonStoreUrl === null) return 'ownAndroid';
  return app.simulated ? 'simulatedOrOwn' : 'storeOrOwn';
}
