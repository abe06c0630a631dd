// Records the messages of the bus, so that a test can redeliver them.
import type { RequestDef } from '@landfall/contracts';
import type { Answer } from '../port.ts';

/** Resolves with the answer of a command, or with undefined for an event. */
type Deliver = () => Promise<Answer<RequestDef> | undefined>;

export interface Recording {
  /** Records a command that was not refused, or an event. `deliver` delivers it again. */
  add(what: string, deliver: Deliver): void;
  /** Delivers all recorded messages once more, one after the other. Records nothing during the replay. */
  replay(): Promise<void>;
}

export function createRecording(violated: (sentence: string) => void): Recording {
  const recorded: { what: string; deliver: Deliver }[] = [];
  let replaying = false;
  return {
    add(what, deliver) {
      if (!replaying) recorded.push({ what, deliver });
    },
    async replay() {
      replaying = true;
      try {
        for (const { what, deliver } of recorded) {
          try {
            const answer = await deliver();
            if (answer?.ok === false)
              violated(`${what}: refused when it came again: ${JSON.stringify(answer.refusal)}`);
          } catch (error) {
            violated(`${what}: failed when it came again: ${error}`);
          }
        }
      } finally {
        replaying = false;
      }
    },
  };
}
