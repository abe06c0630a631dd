// The parts that handlers need to send or change a push, besides the tables.
import type { SizeOf } from './domain/render/too-large.ts';

export interface SendParts {
  readonly sizeOf: SizeOf;
  /** Called when there is something to send. Never throws. */
  wake(): void;
}
