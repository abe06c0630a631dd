import type { paths } from '@landfall/api-client';

type Tap =
  paths['/api/manage/links/{linkId}/taps']['get']['responses'][200]['content']['application/json']['taps'][number];

/** Returns the word of what became of a tap. A start may have asked for it, and not got it. */
export const wordOf = ({ state, restoreId }: Tap['outcome']) =>
  state === 'unclaimed' && restoreId !== null ? 'refused' : state;

/** Returns the word of where a tap was sent. An app without a store has the page that plays it in place of one. */
export const sentToOf = <A extends string>(answered: A, { simulated }: { simulated: boolean }) =>
  answered === 'store' && simulated ? 'simulated' : answered;
