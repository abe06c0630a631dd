import type { DeadLetterBox } from '@landfall/bus';

/** For tests of a gateway in which no message fails. */
export const noDeadLetters: DeadLetterBox = {
  groups: async () => [],
  list: async () => [],
  replay: async () => ({ replayed: 0, running: 0 }),
  close: async () => {},
};
