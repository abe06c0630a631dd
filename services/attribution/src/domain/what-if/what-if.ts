// Answers the question "what if the settings were others?": replays decisions and compares them with what was decided.
import type { MatchingSettings, ReplayDecisions, ReplyOf } from '@landfall/contracts';
import type { StoredDecision } from './rebuild.ts';
import { createReplay, type Replayed } from './replay.ts';

type Compared = Omit<ReplyOf<typeof ReplayDecisions>, 'from' | 'to' | 'cut'>;
type Example = Compared['examples'][number];
type Truths = Compared['truth']['current'];

/** The most examples of each kind of difference. */
const MOST_EXAMPLES = 20;

/**
 * Compares decisions with those of changed settings. The truth compares matching by address alone with the current and
 * with the changed settings.
 */
export function createWhatIf(current: MatchingSettings, changed: MatchingSettings) {
  const replays = { current: createReplay(current), changed: createReplay(changed) };
  const decisions = { total: 0, withoutFacts: 0, outOfReach: 0 };
  const given = { before: 0, after: 0, newly: 0, noLonger: 0, otherLink: 0 };
  const truth = { known: 0, current: noTruths(), changed: noTruths() };
  const examples = { newly: [] as Example[], noLonger: [] as Example[], otherLink: [] as Example[] };

  return {
    /** Adds a decision. Call it for each decision, the oldest first. One that is not counted may take links from others. */
    add(stored: StoredDecision, isCounted: boolean): void {
      const before = replays.current.next(stored);
      const now = replays.changed.next(stored);
      // A repeated answer gives nothing more.
      if (!isCounted || stored.repeats !== null) return;
      decisions.total++;
      if (now.state === 'noFacts') decisions.withoutFacts++;
      if (now.state === 'outOfReach') decisions.outOfReach++;
      if (before.truth !== null && now.truth !== null) {
        truth.known++;
        truth.current[before.truth]++;
        truth.changed[now.truth]++;
      }
      compare(stored, now);
    },
    result: (): Compared => ({
      decisions,
      given,
      truth,
      examples: [...examples.newly, ...examples.noLonger, ...examples.otherLink].sort((a, b) => (a.at < b.at ? 1 : -1)),
    }),
  };

  function compare(stored: StoredDecision, now: Replayed): void {
    const gave = stored.matchType !== null;
    const gives = now.matchType !== null && !now.repeats;
    if (gave) given.before++;
    if (gives) given.after++;
    const kind = differenceOf(stored, now, gives);
    if (kind === null) return;
    given[kind]++;
    const newest = examples[kind];
    newest.push(exampleOf(stored, now));
    if (newest.length > MOST_EXAMPLES) newest.shift();
  }
}

const noTruths = (): Truths => ({ right: 0, wrong: 0, missed: 0 });

function differenceOf(
  stored: StoredDecision,
  now: Replayed,
  gives: boolean,
): 'newly' | 'noLonger' | 'otherLink' | null {
  if (stored.matchType === null) return gives ? 'newly' : null;
  if (now.matchType === null) return 'noLonger';
  return stored.linkIds.join() === now.linkIds.join() ? null : 'otherLink';
}

const exampleOf = (stored: StoredDecision, now: Replayed): Example => ({
  restoreId: stored.id,
  at: stored.at.toISOString(),
  before: { matchType: stored.matchType, linkIds: [...stored.linkIds], reason: stored.summary },
  after: { matchType: now.matchType, linkIds: [...now.linkIds], reason: now.summary },
});
