import type { App, paths } from '@landfall/api-client';
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
 * Returns the word of the page of the link that a tap got in place of the store, or null. A tap does not say which page it
 * was. So a link that was edited since it was made, which may have had another one, has a word that is true for all.
 */
export function ownPageOf(
  { answered, platform }: Pick<Tap, 'answered' | 'platform'>,
  { iosUrl, androidUrl, version }: Pick<WholeLink, 'iosUrl' | 'androidUrl' | 'version'>,
  {
    android: { huaweiStoreUrl, amazonStoreUrl },
  }: { android: Pick<App['android'], 'huaweiStoreUrl' | 'amazonStoreUrl'> },
) {
  if (answered !== 'store') return null;
  if (version > 1) return 'storeOrOther';
  if (platform === 'ios') return iosUrl === null ? null : 'ownIos';
  if (platform !== 'android' || androidUrl === null) return null;
  // It takes the place of Play alone, and a tap does not say which store its phone has.
  return huaweiStoreUrl === null && amazonStoreUrl === null ? 'ownAndroid' : 'ownAndroidOrStore';
}
