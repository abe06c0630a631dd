// Recognises the next step of a tap: a request that a button of its page causes, in the same browser or in the one in
// which the person goes on. It is no tap of its own. Only what is remembered of the earlier tap decides. A mark in the
// URL alone proves nothing, because people share such URLs.
import { type Seen, STEP_MS, type TapMemory, type Tapped } from './tap-memory.ts';

/** A person's request for a link, with the marks that our buttons leave. */
export interface StepRequest {
  linkId: string;
  /** The key of the address. */
  address: string;
  /** The keyed hash of the user agent. */
  browser: string;
  platform: string;
  /** True inside another app, where a tap gets a page with buttons. */
  inApp: boolean;
  /** The exit in the URL, or the one that the page of a tap offers. */
  exit: string | null;
  /** True on the open host, where the button "Open in the app" leads. */
  onOpen: boolean;
}

export interface Steps {
  /** Remembers a tap that was answered with a page. `exit`: the exit that its page offers. */
  remember(request: StepRequest, tapped: Tapped): Promise<void>;
  /** Returns the tap whose next step the request is, and counts it as one. Null: it is a tap of its own. */
  next(request: StepRequest): Promise<Tapped | null>;
}

/** The steps of one tap. More requests than these are other people's, who have the same browser and address. */
const MOST_STEPS = 4;
/** People at one address who tap one link at the same time. */
const MOST_TAPS = 5;

/**
 * @param here the memory of this gateway
 * @param shared the memory of all gateways, if there is one
 * @param now in milliseconds
 */
export function createSteps(here: TapMemory, shared: TapMemory | null, now: () => number): Steps {
  const keyOf = ({ linkId, address }: StepRequest) => `${linkId} ${address}`;
  const isRecent = ({ tappedAt, steps }: Seen) => now() - Date.parse(tappedAt) < STEP_MS && steps < MOST_STEPS;

  /** Asks the other gateways only about requests that a page may have caused: most taps get no page. */
  async function read(request: StepRequest): Promise<Seen[]> {
    const mayBeStep = request.inApp || request.onOpen || request.exit !== null;
    const ofAll = mayBeStep ? await shared?.read(keyOf(request)) : null;
    return (ofAll ?? (await here.read(keyOf(request))) ?? []).filter(isRecent);
  }

  async function write(request: StepRequest, taps: Seen[]): Promise<void> {
    await Promise.all([here, shared].map((memory) => memory?.write(keyOf(request), taps)));
  }

  return {
    async remember(request, { tapId, tappedAt }) {
      const { platform, exit, browser, onOpen } = request;
      const others = (await read(request)).filter((one) => one.tapId !== tapId).slice(0, MOST_TAPS - 1);
      await write(request, [{ tapId, tappedAt, platform, exit, browsers: [{ browser, onOpen }], steps: 0 }, ...others]);
    },
    async next(request) {
      const taps = await read(request);
      const tap = taps.find((one) => goesOn(one, request)) ?? taps.find((one) => changesBrowser(one, request));
      if (tap === undefined) return null;
      const { browser, onOpen } = request;
      const browsers = [...tap.browsers.filter((known) => known.browser !== browser), { browser, onOpen }];
      await write(
        request,
        taps.map((one) => (one === tap ? { ...tap, steps: tap.steps + 1, browsers } : one)),
      );
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
