import { describe, expect, it } from 'vitest';
import type { Install, Start, Tap } from '../world/events.ts';
import type { History } from '../world/history.ts';
import { DAY, HOUR, MINUTE } from '../world/time.ts';
import { createScorer, noScore, type Score } from './score.ts';
import { summarize, summarizeMean } from './summary.ts';

const NOON = 1.5 * DAY;
const LINK = 7;

const anInstall = (install: Partial<Install> = {}): Install =>
  ({
    phone: { person: 1 },
    installedAt: NOON,
    firstStartAt: NOON,
    removedAt: Number.POSITIVE_INFINITY,
    due: null,
    ...install,
  }) as Install;

const fromTap = (install: Partial<Install> = {}) =>
  anInstall({ due: { link: LINK, at: NOON - MINUTE } as Tap, ...install });

/** Scores what the starts got. `taps` and `openings` are those of person 1 on the link. */
function scoreOf(
  install: Install,
  got: readonly { at: number; links: readonly number[]; lost?: boolean }[],
  { taps = [], openings = [] }: { taps?: readonly number[]; openings?: readonly number[] } = {},
  parts = 1,
): Score[] {
  const history = {
    scored: [DAY, 4 * DAY],
    installs: [install],
    tapsOf: (_: number, link: number) => (link === LINK ? taps : []),
    openingsOf: (_: number, link: number) => (link === LINK ? openings : []),
  } as unknown as History;
  const scorer = createScorer(history, parts);
  for (const { at, links, lost = false } of got) scorer.note({ at, install, lost } as Start, links);
  return scorer.scores();
}

describe('a score', () => {
  const taps = [NOON - MINUTE];

  it('counts a due link that arrives within an hour of the first start, once', () => {
    const one = { ...noScore, installs: 1, fromTap: 1 };
    expect(scoreOf(fromTap(), [{ at: NOON, links: [LINK] }], { taps })).toEqual([{ ...one, found: 1 }]);
    const late = [{ at: NOON + HOUR, links: [LINK] }];
    expect(scoreOf(fromTap(), late, { taps })).toEqual([one]);
    expect(scoreOf(fromTap(), [{ at: NOON, links: [LINK], lost: true }], { taps })).toEqual([one]);
    const again = [
      { at: NOON, links: [LINK], lost: true },
      { at: NOON + MINUTE, links: [LINK] },
    ];
    expect(scoreOf(fromTap(), again, { taps })).toEqual([{ ...one, found: 1 }]);
  });

  it('counts a link that the person never tapped, and says if the user had the app before', () => {
    const [fresh] = scoreOf(anInstall(), [{ at: NOON, links: [LINK] }]);
    expect(fresh).toEqual({ ...noScore, installs: 1, wrong: 1 });
    const [old] = scoreOf(anInstall({ installedAt: -DAY, firstStartAt: -DAY }), [{ at: NOON, links: [LINK] }]);
    expect(old).toEqual({ ...noScore, wrong: 1, wrongExisting: 1 });
    const [tappedLater] = scoreOf(anInstall(), [{ at: NOON, links: [LINK] }], { taps: [NOON + MINUTE] });
    expect(tappedLater!.wrong).toBe(1);
  });

  it('counts no tapped link as wrong, also when another one was due', () => {
    expect(scoreOf(anInstall(), [{ at: NOON, links: [LINK] }], { taps })[0]!.wrong).toBe(0);
  });

  it('counts a link that comes again, unless the person tapped it again', () => {
    const twice = [
      { at: NOON, links: [LINK] },
      { at: NOON + MINUTE, links: [LINK] },
    ];
    expect(scoreOf(fromTap(), twice, { taps })[0]!.repeated).toBe(1);
    expect(scoreOf(fromTap(), twice, { taps: [...taps, NOON + 30_000] })[0]!.repeated).toBe(0);
    const opened = { taps, openings: [NOON - 30_000] };
    expect(scoreOf(fromTap(), [{ at: NOON, links: [LINK] }], opened)[0]!.repeated).toBe(1);
  });

  it('leaves out what is not in the scored time', () => {
    const early = anInstall({ installedAt: 0, firstStartAt: HOUR });
    expect(scoreOf(early, [{ at: HOUR, links: [LINK] }])).toEqual([noScore]);
    const last = anInstall({ installedAt: 4 * DAY - MINUTE, firstStartAt: 4 * DAY - MINUTE });
    expect(scoreOf(last, [])).toEqual([noScore]);
  });

  it('has parts of equal length', () => {
    const scores = scoreOf(fromTap(), [{ at: NOON + 1.2 * DAY, links: [LINK + 1] }], { taps }, 3);
    expect(scores.map(({ installs }) => installs)).toEqual([1, 0, 0]);
    expect(scores.map(({ wrong }) => wrong)).toEqual([0, 1, 0]);
  });
});

describe('a summary', () => {
  const score = (installs: number, wrong: number, fromTap: number, found: number): Score => ({
    ...noScore,
    installs,
    wrong,
    fromTap,
    found,
  });

  it('has the figure of all seeds together, with its interval', () => {
    const { wrong, found } = summarize([score(1000, 4, 100, 40), score(3000, 6, 300, 180)]);
    // Tables of Poisson for 10: 4.80 to 18.39.
    expect(wrong.value).toBe(2.5);
    expect([wrong.low * 4, wrong.high * 4].map((n) => Math.round(n * 10) / 10)).toEqual([4.8, 18.4]);
    expect(found.value).toBeCloseTo(55);
    expect([found.low, found.high].map(Math.round)).toEqual([50, 60]);
    // None of 4,000: at most 3.69.
    expect(summarize([score(4000, 0, 1, 0)]).wrong).toMatchObject({
      value: 0,
      low: 0,
      high: expect.closeTo(3.69 / 4, 1),
    });
  });

  it('has the mean of worlds, whatever their sizes', () => {
    const { wrong, found } = summarizeMean([[score(1000, 2, 100, 40)], [score(9000, 0, 900, 720)]]);
    expect(wrong.value).toBe(1);
    expect(found.value).toBeCloseTo(60);
    const many = summarizeMean([[score(10_000, 20, 100, 40)], [score(90_000, 0, 900, 720)]]);
    expect(many.wrong.high - many.wrong.low).toBeLessThan(wrong.high - wrong.low);
  });
});
