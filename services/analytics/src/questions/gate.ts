// How many questions a store works on at the same time. Nobody's questions make those of others wait: an app and a caller
// have only a part of the places, and only some may wait.

/** Who asks about which app. */
export interface Asker {
  readonly appId: string;
  readonly caller: string;
  /** True when the caller has stopped waiting. */
  expired(): boolean;
}

export interface GateLimits {
  /** The most questions at the same time: in all, of an app, and of a caller. */
  readonly atOnce: number;
  readonly atOnceOfApp: number;
  readonly atOnceOfCaller: number;
  /** The most questions that wait: in all, and of a caller. */
  readonly waiting: number;
  readonly waitingOfCaller: number;
  /** Milliseconds of work in a minute for one caller. */
  readonly workOfCallerMs: number;
}

/** The caller asks more than may wait, or has left. */
export class TooManyQuestions extends Error {
  readonly seconds: number;

  /** @param seconds after which the caller may ask again */
  constructor(seconds: number) {
    super('too many questions');
    this.seconds = seconds;
  }
}

/** Seconds after which a place may be free again. */
const AGAIN_SECONDS = 3;
const MINUTE_MS = 60_000;
/** Callers whose work is remembered. */
const MOST_CALLERS = 10_000;

/** @param clock milliseconds, from any beginning */
export function createGate(limits: GateLimits, clock = () => performance.now()) {
  const running = new Set<Asker>();
  let waiting: { readonly asker: Asker; begin(): void; refuse(): void }[] = [];
  const works = new Map<string, { ms: number; readonly until: number }>();

  const mayBegin = ({ appId, caller }: Asker): boolean => {
    const others = [...running];
    return (
      others.length < limits.atOnce &&
      others.filter((other) => other.appId === appId).length < limits.atOnceOfApp &&
      others.filter((other) => other.caller === caller).length < limits.atOnceOfCaller
    );
  };

  /** Returns the function that gives the place back. */
  function begin(asker: Asker): () => void {
    const began = clock();
    running.add(asker);
    return () => {
      if (!running.delete(asker)) return;
      addWork(asker.caller, clock() - began);
      next();
    };
  }

  /** Begins with every waiting question that may begin, the oldest first. */
  function next() {
    forgetLeft();
    waiting = waiting.filter((one) => {
      if (!mayBegin(one.asker)) return true;
      one.begin();
      return false;
    });
  }

  /** Nothing is read for a caller who has stopped waiting. */
  function forgetLeft() {
    const left = waiting.filter(({ asker }) => asker.expired());
    waiting = waiting.filter((one) => !left.includes(one));
    for (const one of left) one.refuse();
  }

  function addWork(caller: string, ms: number) {
    const known = works.get(caller);
    if (known !== undefined && known.until > clock()) {
      known.ms += ms;
      return;
    }
    if (works.size >= MOST_CALLERS) works.clear();
    works.set(caller, { ms, until: clock() + MINUTE_MS });
  }

  /** Seconds until a caller may ask again. 0: now. */
  function restOf(caller: string): number {
    const work = works.get(caller);
    if (work === undefined || work.ms < limits.workOfCallerMs) return 0;
    return Math.max(0, Math.ceil((work.until - clock()) / 1000));
  }

  return {
    /** Resolves when it is the turn of a question. Rejects with {@link TooManyQuestions}. The result gives the place back. */
    async enter(asker: Asker): Promise<() => void> {
      forgetLeft();
      const rest = restOf(asker.caller);
      if (rest > 0) throw new TooManyQuestions(rest);
      if (mayBegin(asker)) return begin(asker);
      const own = waiting.filter((other) => other.asker.caller === asker.caller).length;
      if (waiting.length >= limits.waiting || own >= limits.waitingOfCaller) throw new TooManyQuestions(AGAIN_SECONDS);
      return new Promise((resolve, reject) => {
        waiting.push({
          asker,
          begin: () => resolve(begin(asker)),
          refuse: () => reject(new TooManyQuestions(AGAIN_SECONDS)),
        });
      });
    },
  };
}
