import type { ConsoleParts } from '../parts.ts';
import { hasPassed } from '../routes/manage-fields.ts';
import type { FramedBy } from '../web-app/serve-web-app.ts';

/** Returns who may hold a share in a frame. An unknown share has nobody, as one that names no site. */
export const framedBy =
  ({ log, lookups, now }: Pick<ConsoleParts, 'log' | 'lookups' | 'now'>): FramedBy =>
  async (shareId) => {
    try {
      const share = await lookups.shareById(shareId);
      return share && !hasPassed(share.expiresAt, now()) ? share.options.origins : [];
    } catch (err) {
      log.debug({ err, shareId }, 'a page is in no frame: nobody said who may hold it');
      return [];
    }
  };
