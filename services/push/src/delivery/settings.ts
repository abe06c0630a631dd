import type { Log } from '@landfall/bus';
import type { Database } from '@landfall/db';

export interface Shared {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: DeliverySettings;
  /** True when the worker stops. Called before more work is begun. */
  readonly stopped: () => boolean;
}

export interface DeliverySettings {
  /** Milliseconds between two looks at the queue when no call wakes it. */
  pollMs: number;
  /** Milliseconds of the lease of a delivery. A live worker prolongs it. */
  leaseMs: number;
  /** Milliseconds after which a send without an answer ends with an unknown outcome. */
  longestSendMs: number;
  /** The maximum number of pushes in flight in this process, over all apps. */
  mostUnderWay: number;
  /** The most pushes of one app in flight. After a worker is killed, at most this number is sent again. */
  mostInFlight: number;
  /** The maximum number of deliveries that this process holds: under way, waiting for their turn, or not stored yet. */
  mostHeld: number;
  /** The number of devices in one page of an expansion. */
  pageSize: number;
  /** Milliseconds. A worker that finds an older unpublished outcome publishes it. */
  untoldMs: number;
  /** Milliseconds that a stop may take. */
  stopMs: number;
}

export const defaultSettings: DeliverySettings = {
  pollMs: 1_000,
  leaseMs: 60_000,
  longestSendMs: 300_000,
  mostUnderWay: 2_000,
  mostInFlight: 700,
  mostHeld: 4_000,
  pageSize: 1_000,
  untoldMs: 15_000,
  stopMs: 8_000,
};
