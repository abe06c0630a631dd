// Restores whose answer did not come. Attribution may have given links that no device has received: it takes them back, so that
// the next start of the app finds them.
import { type Bus, uuid5 } from '@landfall/bus';
import { ReleaseRestore } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { lateSender } from './late-sender.ts';

export interface LostRestores {
  /** Goes on in the background until attribution has heard of it. */
  lost(restoreId: string): void;
  /** Tries once more what is still waiting. */
  stop(): Promise<void>;
}

export function lostRestores(bus: Bus, log: Logger): LostRestores {
  const gone = 'a restore may have been claimed, was not given, and is not released';
  const sender = lateSender<string>({
    send: (restoreId) => bus.ask(ReleaseRestore, { restoreId, lost: true }, { id: uuid5(restoreId, 'lost') }),
    lost: (restoreId, error) => log.error({ err: error ?? undefined, restoreId }, gone),
  });
  return {
    lost(restoreId) {
      log.warn({ restoreId }, 'the answer to a restore did not come: what it gave is taken back');
      void sender.send(restoreId);
    },
    async stop() {
      const left = await sender.stop();
      if (left > 0) log.error({ restores: left }, gone);
    },
  };
}
