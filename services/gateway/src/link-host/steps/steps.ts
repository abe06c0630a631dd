// Recognises the next step of a tap: a request that a button of its page causes, in the same browser or in the one in
// which the person goes on. It is no tap of its own. Only what a gateway remembers of the earlier tap decides. A mark in
// the URL alone proves nothing, because people share such URLs.
import { LRUCache } from 'lru-cache';

/** A person's request for a link, with the marks that our buttons leave. */
export interface StepRequest {
  linkId: string;
  /** The key of the address. */
  address: string;
  /** The keyed hash of the user agent. */
  browser: string;
  platform: string;
  /** The exit in the URL, or the one that the page of a tap offers. */
  exit: string | null;
  /** True on the open host, where the button "Open in the app" leads. */
  onOpen: boolean;
}

/** The id and the time of a tap. */
export interface Tapped {
  tapId: string;
  tappedAt: string;
}

export interface Steps {
  /** Remembers a tap that was answered with a page. `exit`: the exit that its page offers. */
  remember(request: StepRequest, tapped: Tapped): void;
  /** Returns the tap whose next step the request is, and counts it as one. Null: it is a tap of its own. */
  next(request: StepRequest): Tapped | null;
}

interface Seen extends Tapped {
  platform: string;
  exit: string | null;
  /** The browser of the tap, and the one in which the person went on. */
  browsers: { browser: string; onOpen: boolean }[];
  steps: number;
}

/** The time in which a person uses the page, in milliseconds. */
const STEP_MS = 10 * 60_000;
/** The steps of one tap. More requests than these are other people's, who have the same browser and address. */
const MOST_STEPS = 4;
/** People at one address who tap one link at the same time. */
const MOST_TAPS = 5;
/** The links and addresses, about 5 MB. */
const MOST = 10_000;

/** @param now in milliseconds */
export function createSteps(now: () => number): Steps {
  const seen = new LRUCache<string, Seen[]>({ max: MOST });
  const keyOf = ({ linkId, address }: StepRequest) => `${linkId} ${address}`;
  const isRecent = ({ tappedAt, steps }: Seen) => now() - Date.parse(tappedAt) < STEP_MS && steps < MOST_STEPS;

  return {
    remember(request, { tapId, tappedAt }) {
      const { platform, exit, browser, onOpen } = request;
      const key = keyOf(request);
      const others = (seen.get(key) ?? [])
        .filter((one) => isRecent(one) && one.tapId !== tapId)
        .slice(0, MOST_TAPS - 1);
      seen.set(key, [{ tapId, tappedAt, platform, exit, browsers: [{ browser, onOpen }], steps: 0 }, ...others]);
    },
    next(request) {
      const taps = (seen.get(keyOf(request)) ?? []).filter(isRecent);
      const tap = taps.find((one) => goesOn(one, request)) ?? taps.find((one) => changesBrowser(one, request));
      if (tap === undefined) return null;
      tap.steps++;
      const others = tap.browsers.filter(({ browser }) => browser !== request.browser);
      tap.browsers = [...others, { browser: request.browser, onOpen: request.onOpen }];
      return tap;
    },
  };
}

/** True for a button that leads to the other host, and for an exit, in a browser of the tap. */
function goesOn({ exit, browsers }: Seen, request: StepRequest): boolean {
  const known = browsers.find(({ browser }) => browser === request.browser);
  return known !== undefined && (known.onOpen !== request.onOpen || usesExit(exit, request));
}

/** True for the first browser after that of the tap. One person has no third. */
function changesBrowser({ exit, platform, browsers }: Seen, request: StepRequest): boolean {
  if (browsers.length > 1 || platform !== request.platform) return false;
  return usesExit(exit, request) || (request.onOpen && !browsers[0]!.onOpen);
}

const usesExit = (exit: string | null, request: StepRequest): boolean => exit !== null && exit === request.exit;
