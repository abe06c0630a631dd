import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { route } from '../routing/route.ts';
import { deviceFingerprint } from './fields.ts';

/** Seconds for which an address token is valid. */
const ADDRESS_TOKEN_SECONDS = 600;

/**
 * Browsers tap over IPv6, and many apps restore over IPv4. This route connects both: a client calls it on a host with
 * an AAAA record only, and sends the token with its heartbeat and its restore over IPv4.
 */
export const proveAddress = route('GET /api/address', {
  summary: 'Get a token for the IPv6 address of the phone. Call it on a host that has an AAAA record only',
  auth: 'key',
  limit: 'address',
  query: z.object({
    deviceFingerprint: deviceFingerprint()
      .optional()
      .describe('The fingerprint of the restore. With it, the token works for this device only.'),
  }),
  reply: z.object({
    addressToken: z.string().describe('For `addressToken` of the heartbeat and the restore.'),
    expiresInSeconds: z.int(),
  }),
  errors: ['WRONG_ADDRESS_FAMILY'],
  async handle({ query, key: { app }, address }, { hashes, now }) {
    const hash = hashes.address(address);
    // An IPv4 address needs no token: the restore shows it by itself.
    if (hash === null || address.site === null) throw new ApiError('WRONG_ADDRESS_FAMILY');
    const { deviceFingerprint: device } = query;
    const addressToken = hashes.signAddress(app.id, {
      address: hash,
      device: device === undefined ? null : hashes.fingerprint(device),
      until: now().getTime() + ADDRESS_TOKEN_SECONDS * 1_000,
    });
    return { addressToken, expiresInSeconds: ADDRESS_TOKEN_SECONDS };
  },
});
