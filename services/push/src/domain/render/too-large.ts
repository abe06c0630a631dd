// Refuses a push that is larger than one of its providers accepts.
import type { PushMessage, RefusalOf, SendPush } from '@landfall/contracts';
import type { Size } from './size.ts';

export type SizeOf = (message: PushMessage) => readonly Size[];

type TooLarge = { refusal: Extract<RefusalOf<typeof SendPush>, { code: 'PUSH_TOO_LARGE' }> };

/**
 * Returns a refusal when the message is too large for at least one provider. All devices get the message, or no device
 * gets it.
 */
export function tooLarge(message: PushMessage, sizeOf: SizeOf): TooLarge | null {
  const size = sizeOf(message).find(({ bytes, limit }) => bytes > limit);
  return size ? { refusal: { code: 'PUSH_TOO_LARGE', facts: { ...size } } } : null;
}
