// Judges what the devices got. Only this file and the world know who tapped.
import { getOrMake } from '../get-or-make.ts';
import type { Install, Start } from '../world/events.ts';
import type { History } from '../world/history.ts';
import { HOUR } from '../world/time.ts';

export const noScore = {
  /** Installs of the scored time, by their first start. */
  installs: 0,
  /** Installs that came from a tap. */
  fromTap: 0,
  /** Of these, those that got the due link within an hour of their first start. */
  found: 0,
  /** Links that people got and never tapped. */
  wrong: 0,
  /** Of these, those that went to devices on which the app had been for over an hour. */
  wrongExisting: 0,
  /** Links that a device got although it had got them or opened them since its person tapped them last. */
  repeated: 0,
};
export type Score = Readonly<typeof noScore>;

const NEVER = Number.NEGATIVE_INFINITY;

/** @param parts the number of equal parts of the scored time that have a score of their own */
export function createScorer({ tapsOf, openingsOf, installs, scored }: History, parts = 1) {
  const [from, until] = scored;
  const scores = Array.from({ length: parts }, () => ({ ...noScore }));
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
      const before = getOrMake(got, install, () => new Map<number, number>());
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

const names = Object.keys(noScore) as (keyof Score)[];

export function sumOf(scores: readonly Score[]): Score {
  const sum = { ...noScore };
  for (const score of scores) for (const name of names) sum[name] += score[name];
  return sum;
}
