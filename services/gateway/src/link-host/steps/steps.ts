// Recognises the next step of a tap: a request that a button of its page causes, in the same browser or in the one in
// which the person goes on. It is no tap of its own. Only what is remembered of the earlier tap decides. A mark in the
// URL alone proves nothing, because people share such URLs.
import { type InRedis, inTime } from '@landfall/http';
import { LRUCache } from 'lru-cache';

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

export type Steps = ReturnType<typeof createSteps>;

/** The steps of one tap. More requests than these are other people's, who have the same browser and address. */
const MOST_STEPS = 4;
/** People at one address who tap one link at the same time. */
const MOST_TAPS = 5;

/**
 * @param here the memory of this gateway
 * @param shared the memory of all gateways, if there is one
 * @param now in milliseconds
 */
export function createSteps(here: TapMemory, shared: TapMemory | null, now: () => number) {
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
    /** Remembers a tap that was answered with a page. `exit`: the exit that its page offers. */
    async remember(request: StepRequest, { tapId, tappedAt }: Tapped): Promise<void> {
      const { platform, exit, browser, onOpen } = request;
      const others = (await read(request)).filter((one) => one.tapId !== tapId).slice(0, MOST_TAPS - 1);
      await write(request, [{ tapId, tappedAt, platform, exit, browsers: [{ browser, onOpen }], steps: 0 }, ...others]);
    },
    /** Returns the tap whose next step the request is, and counts it as one. Null: it is a tap of its own. */
    async next(request: StepRequest): Promise<Tapped | null> {
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

/** The time in which a person uses the page, in milliseconds. */
const STEP_MS = 10 * 60_000;

interface Tapped {
  tapId: string;
  tappedAt: string;
}

/** A tap that got a page, and what its person has done since. */
interface Seen extends Tapped {
  platform: string;
  exit: string | null;
  /** The browser of the tap, and the one in which the person went on. */
  browsers: { browser: string; onOpen: boolean }[];
  steps: number;
}

/** Never rejects: a step that nobody remembers is counted as a tap. */
interface TapMemory {
  /** Returns null when it does not know. */
  read(key: string): Promise<Seen[] | null>;
  write(key: string, taps: Seen[]): Promise<void>;
}

/** The links and addresses, about 5 MB. */
const MOST = 10_000;

export function memoryOfGateway(): TapMemory {
  const seen = new LRUCache<string, Seen[]>({ max: MOST });
  return {
    read: async (key) => seen.get(key) ?? null,
    async write(key, taps) {
      seen.set(key, taps);
    },
  };
}

/** A Redis that is down, or does not answer in time, knows nothing. The counter of limits logs the outage. */
export function memoryInRedis({ redis, isUp, withinMs, keyOf }: InRedis): TapMemory {
  const nameOf = (key: string) => `landfall:tap:${keyOf(key)}`;
  return {
    async read(key) {
      if (!isUp()) return null;
      const text = await inTime(withinMs, redis.get(nameOf(key))).catch(() => null);
      return text === null ? null : JSON.parse(text);
    },
    async write(key, taps) {
      if (!isUp()) return;
      await inTime(withinMs, redis.set(nameOf(key), JSON.stringify(taps), 'PX', STEP_MS)).catch(() => {});
    },
  };
}
