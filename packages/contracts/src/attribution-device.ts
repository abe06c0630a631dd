// The query for developers who check one device. Whoever knows its fingerprint may ask, so it tells nothing of others.
import { z } from 'zod';
import { requestsOf } from './define.ts';
import { hash, instant, uuid } from './fields.ts';

/**
 * Why a restore gave what it gave. `untapped`: no link waited that could be for it. `refused`: a link waited, and was not
 * given. `lost`: the links did not reach the device, and its next start finds them.
 */
export const RestoreOutcome = z.enum([
  'referrer',
  'clipboard',
  'email',
  'fingerprint',
  'address',
  'untapped',
  'refused',
  'lost',
]);
export type RestoreOutcome = z.output<typeof RestoreOutcome>;

export const CheckDevice = requestsOf('attribution').query('CheckDevice', {
  description: 'Tells when a device sent its last heartbeat and its last restore, and what this restore gave.',
  input: z.object({ appId: uuid(), device: hash() }),
  reply: z.object({
    heartbeatAt: instant().nullable(),
    /** Null also when several phones have the fingerprint: then it is no secret, and the restore may be another's. */
    restore: z.object({ at: instant(), found: z.int().min(0), outcome: RestoreOutcome }).nullable(),
  }),
  key: (input) => input.device,
});
