// Rules as other products have them, over the same events. Their clients know the first launch of an install, and the
// platform, model and system version of the phone.
import type { Start, Tap } from '../world/events.ts';
import { HOUR, MINUTE } from '../world/time.ts';
import { type Matcher, NO_LINKS } from './matcher.ts';

interface Rule {
  /** How long a tap counts. */
  readonly window: number;
  readonly everyStart?: boolean;
  /** Returns whether the tap may be of this device. */
  may(tap: Tap, start: Start): boolean;
  /** Chooses from the open taps at the address, newest first. */
  choose(taps: readonly Tap[]): readonly Tap[];
}

const newest = (taps: readonly Tap[]) => taps.slice(0, 1);
const samePlatform = (tap: Tap, { install }: Start) => tap.platform === install.phone.platform;

/** A browser says less than a client: what it leaves out contradicts nothing. */
function sameBrowser(tap: Tap, start: Start): boolean {
  const { model, osVersion, platform } = start.install.phone;
  return (
    tap.platform === platform &&
    (tap.osVersion === null || tap.osVersion === osVersion) &&
    (tap.model === null || tap.model === model)
  );
}

/** The browser must tell as much as the client. Apps know no model of an iPhone that a browser tells. */
function equalBrowser(tap: Tap, start: Start): boolean {
  const { model, osVersion, platform } = start.install.phone;
  return tap.platform === platform && tap.osVersion === osVersion && (platform === 'ios' || tap.model === model);
}

const rule = (name: string, says: string, rule: Rule) => ({ name, says, create: () => createMatcher(rule) });

export const otherRules = [
  rule('last-tap', 'last tap at the address within an hour, at the first launch', {
    window: HOUR,
    may: samePlatform,
    choose: newest,
  }),
  rule('first-come', 'the same, for whoever starts the app first', {
    window: HOUR,
    everyStart: true,
    may: samePlatform,
    choose: newest,
  }),
  rule(
    'like-branch',
    'newest tap at the address within 2 hours that the browser does not contradict, at the first launch',
    {
      window: 2 * HOUR,
      may: sameBrowser,
      choose: newest,
    },
  ),
  rule('like-grovs', 'equal address and browser within 5 minutes, exactly one tap, at the first launch', {
    window: 5 * MINUTE,
    may: equalBrowser,
    choose: (taps) => (taps.length === 1 ? taps : []),
  }),
  rule('everything', 'everything open at the address within a day, at the first launch', {
    window: 24 * HOUR,
    may: samePlatform,
    choose: (taps) => taps,
  }),
];

function createMatcher({ window, everyStart = false, may, choose }: Rule): Matcher {
  const open = new Map<number, Tap[]>();
  return {
    window,
    tap(tap) {
      if (tap.platform === null) return;
      const taps = open.get(tap.v4)?.filter(({ at }) => at > tap.at - window) ?? [];
      open.set(tap.v4, [...taps, tap]);
    },
    opening() {},
    start(start) {
      if (start.heartbeatOnly || !(everyStart || start.isFirst)) return NO_LINKS;
      const taps = open.get(start.v4);
      if (taps === undefined) return NO_LINKS;
      const possible = taps.filter((tap) => tap.at > start.at - window && may(tap, start)).reverse();
      const given = choose(possible);
      if (given.length === 0) return NO_LINKS;
      open.set(
        start.v4,
        taps.filter((tap) => !given.includes(tap)),
      );
      return [...new Set(given.map(({ link }) => link))];
    },
  };
}
