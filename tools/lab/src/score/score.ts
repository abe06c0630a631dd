// Judges what the devices got. Only this file and the world know who tapped.
import type { Install, Start } from '../world/events.ts';
import type { History } from '../world/history.ts';
import { HOUR } from '../world/time.ts';

export interface Score {
  /** Installs of the scored time, by their first start. */
  readonly installs: number;
  /** Installs that came from a tap. */
  readonly fromTap: number;
  /** Of these, those that got the due link within an hour of their first start. */
  readonly found: number;
  /** Links that people got and never tapped. */
  readonly wrong: number;
  /** Of these, those that went to devices on which the app had been for over an hour. */
  readonly wrongExisting: number;
  /** Links that a device got although it had got them or opened them since its person tapped them last. */
  readonly repeated: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export const noScore: Score = { installs: 0, fromTap: 0, found: 0, wrong: 0, wrongExisting: 0, repeated: 0 };

/** @param parts the number of equal parts of the scored time that have a score of their own */
export function createScorer({ tapsOf, openingsOf, installs, scored }: History, parts = 1) {
  const [from, until] = scored;
  const scores = Array.from({ length: parts }, (): { -readonly [K in keyof Score]: Score[K] } => ({ ...noScore }));
  const got = new Map<Install, Map<number, number>>();
  const found = new Set<Install>();
  const scoreAt = (at: number) =>
    at >= from && at < until ? scores[Math.floor(((at - from) / (until - from)) * parts)] : undefined;
  for (const install of installs) {
    // An install of the last hour has no time to get its link.
    const { firstStartAt, removedAt, due } = install;
    const score = firstStartAt < until - HOUR && firstStartAt < removedAt ? scoreAt(firstStartAt) : undefined;
    if (score === undefined) continue;
    score.installs++;
    if (due !== null) score.fromTap++;
  }

  return {
    /** Call it for each start, in order. */
    note({ at, install, lost }: Start, links: readonly number[]): void {
      if (links.length === 0 || lost) return;
      const score = scoreAt(at);
      const before = got.get(install) ?? new Map<number, number>();
      got.set(install, before);
      for (const link of links) {
        const { person } = install.phone;
        const tappedAt = latest(tapsOf(person, link), at);
        const hadAt = Math.max(before.get(link) ?? NEVER, latest(openingsOf(person, link), at - 1));
        before.set(link, at);
        if (link === install.due?.link && at < install.firstStartAt + HOUR && !found.has(install)) {
          found.add(install);
          const first = install.firstStartAt < until - HOUR ? scoreAt(install.firstStartAt) : undefined;
          if (first) first.found++;
        }
        if (score === undefined) continue;
        if (hadAt > NEVER && hadAt >= tappedAt) score.repeated++;
        if (tappedAt > NEVER) continue;
        score.wrong++;
        if (at - install.installedAt > HOUR) score.wrongExisting++;
      }
    },
    /** Returns a score for each part of the scored time. */
    scores: (): Score[] => scores,
  };
}

/** Returns the latest of the times up to `at`. */
const latest = (times: readonly number[], at: number): number =>
  times.reduce((last, time) => (time <= at && time > last ? time : last), NEVER);

export function sumOf(scores: readonly Score[]): Score {
  return scores.reduce(
    (a, b) => ({
      installs: a.installs + b.installs,
      fromTap: a.fromTap + b.fromTap,
      found: a.found + b.found,
      wrong: a.wrong + b.wrong,
      wrongExisting: a.wrongExisting + b.wrongExisting,
      repeated: a.repeated + b.repeated,
    }),
    noScore,
  );
}
