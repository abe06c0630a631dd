// Says which limit a tap is too old for. Without the replay nobody would know of this tap: a decision looks at no older ones.
import type { Sighting } from '../candidate.ts';
import { phoneOf, windowOf } from '../rules/evidence.ts';
import { counted, minutes, since } from '../time.ts';
import type { Rebuilt, StoredDecision } from './rebuild.ts';

/** Null: the tap that decided then is not too old for its window, or it is not known. */
export function whyTooOld(stored: StoredDecision, { ask, taps }: Rebuilt, sighting: Sighting): string | null {
  if (stored.matchType !== 'address') return null;
  const tap = taps.find(({ id }) => stored.pendingIds.includes(id));
  if (tap === undefined) return null;
  const age = since(tap.row.tappedAt, ask.now);
  const window = windowOf(tap.row, ask, phoneOf(ask, sighting));
  if (window === 0 || age < window) return null;
  return `nothing: tapped ${inMinutes(age)} earlier: the tap must be less than ${inMinutes(window)} old`;
}

/** In hours, 75 minutes and 60 minutes would both be one hour. */
const inMinutes = (span: number): string => counted(Math.floor(span / minutes(1)), 'minute');
