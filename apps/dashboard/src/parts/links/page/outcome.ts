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

/**
 * Returns the time since which a link has the pages for iPhones and Android that it has now, or null: it is not known.
 * @param history the changes of the link that are known, latest first. Undefined: none are
 */
export function pagesSince(
  { version, createdAt }: Pick<WholeLink, 'version' | 'createdAt'>,
  history: readonly Pick<AuditEntry, 'action' | 'at' | 'before' | 'after'>[] | undefined,
): string | null {
  if (version === 1) return createdAt;
  const last = history?.find((entry) =>
    differencesOf(entry).some(({ path }) => path === 'iosUrl' || path === 'androidUrl'),
  );
  if (last !== undefined) return last.at;
  const oldest = history?.at(-1);
  if (oldest === undefined) return null;
  // Changes before it may have been deleted, or are on a later page.
  return oldest.before?.version === 1 ? createdAt : oldest.at;
}

/** Returns the word of where a tap on a link was sent: a page of the link itself, in place of a store, has its own. */
export function sentToOfLink(
  { answered, platform, at }: Pick<Tap, 'answered' | 'platform' | 'at'>,
  { iosUrl, androidUrl }: Pick<WholeLink, 'iosUrl' | 'androidUrl'>,
  app: Pick<App, 'simulated'> & { android: Pick<App['android'], 'huaweiStoreUrl' | 'amazonStoreUrl'> },
  since: string | null,
) {
  if (answered !== 'store') return answered ?? 'unknown';
  const either = app.simulated ? 'simulatedOrOwn' : 'storeOrOwn';
  // A tap does not say which page it got.
  if (since === null || Date.parse(at) < Date.parse(since)) return either;
  if (platform === 'ios' && iosUrl !== null) return 'ownIos';
  if (platform !== 'android' || androidUrl === null) return sentToOf(answered, app);
  // It takes the place of Play alone, and a tap does not say which store its phone has.
  return app.android.huaweiStoreUrl === null && app.android.amazonStoreUrl === null ? 'ownAndroid' : either;
}
