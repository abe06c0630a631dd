// Releases restores whose links reached no device. Attribution takes the links back, so that the next start of the app
// finds them.
import { type Bus, uuid5 } from '@landfall/bus';
import { type InputOf, type LinkState, ReleaseRestore } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { lateSender } from './late-sender.ts';

export type RestoreReleases = ReturnType<typeof restoreReleases>;

export function restoreReleases(bus: Bus, log: Logger) {
  const failed = 'a restore may have claimed links that nobody received, and it is not released';
  const sender = lateSender<InputOf<typeof ReleaseRestore>>({
    send: (release) =>
      bus.ask(ReleaseRestore, release, { id: uuid5(release.restoreId, release.lost ? 'lost' : 'gone') }),
    lost: ({ restoreId }, error) => log.error({ err: error ?? undefined, restoreId }, failed),
    left: (restores) => log.error({ restores }, failed),
  });
  return {
    /**
     * Releases a restore whose answer is lost: it did not reach us, or we could not pass it on. Returns at once, and
     * retries until attribution has received it.
     */
    lost(restoreId: string): void {
      log.warn({ restoreId }, 'the answer to a restore was lost: its links are released');
      void sender.send({ restoreId, lost: true, gone: [] });
    },
    /**
     * Releases a restore that gave links which are archived or expired. Resolves when attribution knows of them, or when
     * a retry will tell it. Never rejects.
     */
    gone: (restoreId: string, gone: LinkState[]): Promise<void> => sender.send({ restoreId, lost: false, gone }),
    stop: sender.stop,
  };
}
