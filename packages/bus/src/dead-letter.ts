import type { DeadLetter } from '@landfall/contracts';

/**
 * Stores a dead letter. Resolves once the letter is durable. The bus may call it again with the same letter after it
 * rejected.
 */
export type DeadLetterSink = (letter: DeadLetter) => Promise<void>;
