// The ground of a test's system: the product in this process, or as processes of its own.
import type { Bus } from '@landfall/bus';
import type { Clock } from '../clock.ts';
import type { Sent } from './http.ts';

export interface Ground {
  bus: Bus;
  clock: Clock;
  databaseUrl: string;
  /** The ports of the gateways. */
  ports: readonly number[];
  /** Called with each request that a test sends, before it is sent. */
  sending(sent: Sent): void;
  /** Called with what a test says of people elsewhere. */
  said(what: string, text: string): void;
  /** Resolves when everything that was told has been taken in. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
