import type { DeadLetter } from '@landfall/contracts';

/** Keeps a dead letter. Resolves once it is durable; may be called again with the same letter after it rejected. */
export type DeadLetterSink = (letter: DeadLetter) => Promise<void>;
