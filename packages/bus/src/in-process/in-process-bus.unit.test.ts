// Runs the conformance suite on the in-process bus.

import type { DeadLetter } from '@landfall/contracts';
import { conformance, type Features, type MakeAdapter } from '../conformance/conformance.ts';
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

const make: MakeAdapter = async ({ log, isTransient }) => {
  const letters: DeadLetter[] = [];
  const deadLetters = async (letter: DeadLetter) => void letters.push(letter);
  const bus = createInProcessBus({ log, isTransient, deadLetters });
  return {
    bus,
    settled: () => bus.idle(),
    deadLetters: async () => letters,
    close: () => bus.stop(),
  };
};

conformance('the in-process bus', features, make);
