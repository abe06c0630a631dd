// Releases restores whose answer did not come. Attribution may have given links that no device received. It takes them
// back, so that the next start of the app finds them.
import { type Bus, uuid5 } from '@landfall/bus';
import { ReleaseRestore } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { lateSender } from './late-sender.ts';

export interface LostRestores {
  /** Retries in the background until attribution has received it. */
  lost(restoreId: string): void;
  /** Retries the waiting releases once. */
  stop(): Promise<void>;
}

export function lostRestores(bus: Bus, log: Logger): LostRestores {
  const gone = 'a restore may have claimed links that nobody received, and it is not released';
  const sender = lateSender<string>({
    send: (restoreId) => bus.ask(ReleaseRestore, { restoreId, lost: true }, { id: uuid5(restoreId, 'lost') }),
    lost: (restoreId, error) => log.error({ err: error ?? undefined, restoreId }, gone),
  });
  return {
    lost(restoreId) {
      log.warn({ restoreId }, 'the answer to a restore did not come: its links are released');
      void sender.send(restoreId);
    },
    async stop() {
      const left = await sender.stop();
      if (left > 0) log.error({ restores: left }, gone);
    },
  };
}
