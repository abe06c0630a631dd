// The in-process bus, held to the suite that every adapter is held to.
import { conformance } from '../conformance/conformance.ts';
import type { DeadLetter } from '../dead-letter.ts';
import { createInProcessBus } from './in-process-bus.ts';

conformance('the in-process bus', async ({ log, isTransient, attempts }) => {
  const letters: DeadLetter[] = [];
  const deadLetters = async (letter: DeadLetter) => void letters.push(letter);
  const bus = createInProcessBus({ log, isTransient, attempts, deadLetters });
  return {
    bus,
    settled: () => bus.idle(),
    deadLetters: async () => letters,
    close: () => bus.stop(),
    features: {
      waitsForListeners: true,
      gathersAll: true,
      dropsStaleQueries: true,
      survivesRestart: 'its queues are in memory',
      nobodyAnswers: 'Busy',
      mostAsks: 1_000,
      mostTold: 1_000,
    },
  };
});
