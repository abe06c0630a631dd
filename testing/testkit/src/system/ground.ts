// The ground of a test's system: the product in this process, or as processes of its own.
import type { Bus } from '@landfall/bus';
import type { Clock } from '../clock.ts';
import type { Sent } from './http.ts';

export interface Ground {
  bus: Bus;
  clock: Clock;
  databaseUrl: string;
  /** The port of a gateway, and of the console. In one process they are the same. */
  port: number;
  consolePort: number;
  /** Returns the port for the next request, as a proxy chooses it. */
  portFor(sent: Sent): number;
  /** Called with each request that a test sends, before it is sent. */
  sending(sent: Sent): void;
  /** Called with what a test says of people elsewhere. */
  said(what: string, text: string): void;
  /** Resolves when everything that was told has been taken in. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
