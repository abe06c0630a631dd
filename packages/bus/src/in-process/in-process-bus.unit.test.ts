// The in-process bus, held to the suite that every adapter is held to.
import { conformance, type Features } from '../conformance/conformance.ts';
import type { DeadLetter } from '../dead-letter.ts';
import { createInProcessBus } from './in-process-bus.ts';

const features: Features = {
  waitsForListeners: true,
  gathersAll: true,
  dropsStaleQueries: true,
  severalMembers: 'it lives in one process',
  survivesRestart: 'its queues are in memory',
  nobodyAnswers: 'Busy',
  mostAsks: 1_000,
  mostTold: 1_000,
};

conformance('the in-process bus', features, async ({ log, isTransient, attempts }) => {
  const letters: DeadLetter[] = [];
  const deadLetters = async (letter: DeadLetter) => void letters.push(letter);
  const bus = createInProcessBus({ log, isTransient, attempts, deadLetters });
  return {
    bus,
    settled: () => bus.idle(),
    deadLetters: async () => letters,
    close: () => bus.stop(),
  };
});
