// What the recipient of emails may do without an account: confirm an address, and end the emails.
import { uuid } from '@landfall/contracts';
import { ApiError, type ClientAddress, type LimitCounter, rateLimited, sha256, useOfAddress } from '@landfall/http';
import type { Express, Request } from 'express';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { code } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

export const confirmChannel = manageRoute('POST /api/manage/channels/confirm', {
  summary: 'Confirm an email address with the code that was sent to it',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ code: code() }),
  reply: z.object({ appName: z.string() }),
  errors: ['CODE_UNKNOWN'],
  async handle({ body: { code }, address }, { account, change, hashes, lookups, now }) {
    const actor = nobody(hashes.address(address));
    return change({ command: 'ConfirmChannel', actor, now: now() }, async (at) => {
      const channel = await account.channels.confirm(at.tx, sha256(code), at.now);
      if (!channel) throw new ApiError('CODE_UNKNOWN');
      const { id, appId, hint } = channel;
      const { teamId, name } = await lookups.existingApp(appId);
      return { subject: id, teamId, appId, after: { hint }, done: { appName: name } };
    });
  },
});

const nobody = (address: string | null) => ({ kind: 'person', userId: null, tokenId: null, address }) as const;

/**
 * Serves `POST /unsubscribe?of=…`, the address in each email. A mail program sends it when its user clicks "Unsubscribe"
 * (RFC 8058): without a sign-in, a cookie or our header, and with a body that says nothing. What is in the address is
 * sealed, so nobody can make one for another channel. A GET shows a page of the web app, so a program that only follows
 * links ends nothing.
 */
export function serveUnsubscribe(
  app: Express,
  parts: Pick<ConsoleParts, 'account' | 'change' | 'hashes' | 'lookups' | 'now' | 'sealer'>,
  limits: LimitCounter,
  addressOf: (req: Request) => ClientAddress,
): void {
  app.post('/unsubscribe', async (req, res, next) => {
    const address = addressOf(req);
    const used = await useOfAddress(limits, 'manage', address);
    if (!used.allowed) return next(rateLimited(used));
    await unsubscribe(String(req.query.of ?? ''), parts.hashes.address(address), parts);
    res.status(204).end();
  });
}

/** @throws ApiError CODE_UNKNOWN when we did not make the address */
export async function unsubscribe(
  of: string,
  address: string | null,
  { account, change, lookups, now, sealer }: Pick<ConsoleParts, 'account' | 'change' | 'lookups' | 'now' | 'sealer'>,
): Promise<void> {
  const channelId = openedId(of, sealer);
  if (channelId === null) throw new ApiError('CODE_UNKNOWN');
  await change({ command: 'Unsubscribe', actor: nobody(address), now: now() }, async (at) => {
    const channel = await account.channels.unsubscribe(at.tx, channelId, at.now);
    if (!channel) throw new AlreadyEnded();
    const { id, appId, hint } = channel;
    const app = await lookups.app(appId);
    return { subject: id, teamId: app?.teamId ?? null, appId, before: { hint }, done: undefined };
  }).catch((error: unknown) => {
    if (!(error instanceof AlreadyEnded)) throw error;
  });
}

/** A second click changes nothing, and leaves no entry. */
class AlreadyEnded extends Error {}

function openedId(of: string, sealer: ConsoleParts['sealer']): string | null {
  try {
    return uuid().parse(sealer.open('unsubscribe', of));
  } catch {
    return null;
  }
}
