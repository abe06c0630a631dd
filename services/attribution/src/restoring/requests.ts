// Makes of what was gathered the requests that are decided.
import type { Ask } from '../domain/candidate.ts';
import type { RestoreRequest } from '../domain/restore.ts';
import { dependsOnSettings } from '../domain/what-if/facts.ts';
import { NOBODY } from '../sightings.ts';
import type { Gathered } from './gather.ts';

type Asking = Ask & { expired(): boolean };

/**
 * Leaves out restores with nothing to decide about. Most have nothing: no candidate in the whole batch, no tap near, no
 * token, no earlier answer.
 */
export function requestsOf(asks: readonly Asking[], gathered: Gathered): RestoreRequest[] {
  const { crowded, earlier, nearby, rows } = gathered;
  const isIdle = rows.length === 0 && earlier.length === 0;
  const open = isIdle ? asks.filter(({ id, token }) => nearby.has(id) || crowded.has(id) || token !== null) : asks;
  // A tap that is also a candidate is one object, so that it is closed in both places.
  const locked = new Map(rows.map((row) => [row.id, row]));
  const rolloutOf = ({ id }: Ask) => gathered.rollout.get(id) ?? null;
  function nearbyOf(ask: Ask): RestoreRequest['nearby'] {
    if (ask.matching.evidence === 'exact') return undefined;
    if (!dependsOnSettings(ask, gathered.sightings.get(ask.id)!)) return 'never';
    const taps = nearby.get(ask.id) ?? { rows: [], truncated: false };
    return { ...taps, rows: taps.rows.map((row) => locked.get(row.id) ?? row), rollout: rolloutOf(ask) };
  }
  return open.map((ask) => ({
    ...ask,
    claimant: gathered.claimants.get(ask.id)!,
    sighting: {
      ...gathered.sightings.get(ask.id)!,
      ...(gathered.others.get(ask.id) ?? NOBODY),
      rollout: ask.matching.existingUsers ? rolloutOf(ask) : null,
      crowd: crowded.has(ask.id),
    },
    nearby: nearbyOf(ask),
  }));
}
