// The behaviour of the fakes for a push: by its token, by a function, or by chance with a seed.
import { createHash } from 'node:crypto';

/** The treatment of one push. */
export type Behaviour =
  | 'take'
  /** The token is dead. */
  | 'gone'
  /** It never was a token. */
  | 'bad-token'
  /** The token is of another project, or of another app. */
  | 'stray'
  /** Firebase cannot reach Apple for this project. */
  | 'no-apple'
  | 'quota'
  | 'unavailable'
  | 'internal'
  | 'too-large'
  /** Apple says that the signature is too old. */
  | 'expired-signature'
  /** The credentials are not taken. */
  | 'refused'
  /** Of something in front of the provider: 502 in HTML. */
  | 'bad-gateway'
  /** Taken, and then the connection breaks. */
  | 'reset'
  /** Taken, and the connection breaks in the middle of the answer. */
  | 'broken'
  /** Taken, and never answered. */
  | 'hang';

export interface Rates {
  /** Of tokens; one that is dead stays dead. */
  gone?: number;
  /** Of pushes. */
  quota?: number;
  unavailable?: number;
  reset?: number;
}

export interface BehaviourOptions {
  /** Milliseconds that an answer takes. */
  latencyMs?: number;
  /** `Retry-After` of those answers that may have one, in seconds. None unless it is given. */
  retryAfterSeconds?: number;
  rates?: Rates;
  seed?: number;
  /** @param attempt of this token, from 1 */
  behave?: (token: string, attempt: number) => Behaviour | undefined;
}

/** Of FCM tokens. */
const words: [string, Behaviour][] = [
  ['unregistered', 'gone'],
  ['malformed', 'bad-token'],
  ['stray', 'stray'],
  ['noapple', 'no-apple'],
  ['quota', 'quota'],
  ['unavailable', 'unavailable'],
  ['internal', 'internal'],
  ['reset', 'reset'],
  ['hang', 'hang'],
];

/** Of APNs tokens, which are hexadecimal. */
const hexWords: [string, Behaviour][] = [
  ['dead', 'gone'],
  ['bad', 'bad-token'],
  ['57a1', 'stray'],
  ['429', 'quota'],
  ['503', 'unavailable'],
  ['500', 'internal'],
];

/** The settings of a fake, which may change while it runs. */
export class Behaviours {
  options: BehaviourOptions;
  readonly #canned: [string, Behaviour][];
  readonly #attempts = new Map<string, number>();
  #random: () => number;
  /** Each ends the wait of an answer. */
  readonly #waiting = new Set<() => void>();

  constructor(kind: 'fcm' | 'apns', options: BehaviourOptions) {
    this.options = options;
    this.#canned = kind === 'fcm' ? words : hexWords;
    this.#random = seeded(options.seed ?? 1);
  }

  change(options: BehaviourOptions): void {
    this.options = { ...this.options, ...options };
    if (options.seed !== undefined) this.#random = seeded(options.seed);
    if (options.latencyMs === 0) for (const end of this.#waiting) end();
  }

  /** Resolves when an answer has taken its time. If from now on none takes any, those that wait are given, too. */
  async latency(): Promise<void> {
    const { latencyMs = 0 } = this.options;
    if (latencyMs === 0) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, latencyMs);
      this.#waiting.add(end);
    });
  }

  of(token: string): Behaviour {
    const { behave, rates = {} } = this.options;
    const attempt = (this.#attempts.get(token) ?? 0) + 1;
    this.#attempts.set(token, attempt);
    const said = behave?.(token, attempt) ?? this.#canned.find(([prefix]) => token.startsWith(prefix))?.[1];
    if (said) return said;
    if (rates.gone && this.isGone(token)) return 'gone';
    let dice = this.#random();
    for (const name of ['quota', 'unavailable', 'reset'] as const) {
      dice -= rates[name] ?? 0;
      if (dice < 0) return name;
    }
    return 'take';
  }

  /** True when chance has made it a dead token. */
  isGone(token: string): boolean {
    const { rates = {}, seed = 1 } = this.options;
    const hash = createHash('sha256').update(`${seed} ${token}`).digest().readUInt32BE(0);
    return hash / 2 ** 32 < (rates.gone ?? 0);
  }
}

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
