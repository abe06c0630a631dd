// The events of a world: installs, taps, openings and starts of the app.
import type { Browser, Phone, Platform } from './phones.ts';

/** An install of the app on a phone. */
export interface Install {
  readonly phone: Phone;
  /** The fingerprint that the public client sends. Phones of one model share it. */
  readonly device: number;
  /** The id that a client makes for each install. */
  readonly ownId: number;
  readonly installedAt: number;
  readonly firstStartAt: number;
  /** The time from which the app contains the client: later than the first start only in a rollout. */
  readonly clientFrom: number;
  /** Cold starts per day, on average. */
  readonly startsADay: number;
  /** True when the first start happens on another network than the tap. */
  readonly elsewhere: boolean;
  /** The last tap before the first start, when the install follows a tap. */
  readonly due: Tap | null;
  /** The tap that the install referrer names, when the client reads it. */
  readonly referrer: Tap | null;
  /** The tap that the clipboard names, when the client reads it. */
  readonly clipboard: Tap | null;
  /** The tap whose referrer the client sends in the world `token`. */
  readonly sentReferrer: Tap | null;
  removedAt: number;
}

export interface Tap extends Omit<Browser, 'relay'> {
  /** The place in the order of taps. */
  id: number;
  readonly at: number;
  readonly person: number;
  readonly phone: Phone;
  readonly link: number;
  readonly v4: number;
  /** -1 when the browser uses IPv4 even where the link host has IPv6. */
  readonly v6: number;
  /** Null on a desktop: such a tap waits for no install. */
  readonly platform: Platform | null;
}

/** An installed app opens a link. */
export interface Opening {
  readonly at: number;
  readonly person: number;
  readonly link: number;
  readonly v4: number;
}

/** A cold start. With the public client it is a restore, and before it a heartbeat if the last one is a day old. */
export interface Start {
  /** The place in the order of starts. */
  place: number;
  readonly at: number;
  readonly install: Install;
  readonly v4: number;
  readonly v6: number;
  readonly heartbeat: boolean;
  /** True for heartbeats of users outside of the slice: they show only that several phones have a fingerprint. */
  readonly heartbeatOnly: boolean;
  readonly isFirst: boolean;
  /** True when the answer does not arrive. */
  readonly lost: boolean;
}
