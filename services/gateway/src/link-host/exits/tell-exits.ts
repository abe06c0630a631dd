// Sends the uses of exits. A lost one does not matter: operators look at how many of many uses led out.
import type { Bus } from '@landfall/bus';
import { ExitUsed } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';

export type UsedExit = z.input<typeof ExitUsed.data>;

/** Resolves when the use is sent, or cannot be sent. Never rejects. */
export type TellExit = (use: UsedExit) => Promise<void>;

const TELL_WITHIN_MS = 500;

/** @param count counts a use by exit and step */
export const exitTeller =
  (bus: Bus, log: Logger, now: () => Date, count: (exit: string, step: string) => void): TellExit =>
  async (use) => {
    count(use.exit, use.step);
    try {
      await bus.tell(ExitUsed, use, { now: now(), timeoutMs: TELL_WITHIN_MS });
    } catch (error) {
      log.debug({ err: error, exit: use.exit }, 'a use of an exit was not recorded');
    }
  };
