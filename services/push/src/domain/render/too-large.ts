// Returns whether a push is larger than its providers take.
import type { PushMessage, RefusalOf, SendPush } from '@landfall/contracts';
import type { Size } from './size.ts';

export type SizeOf = (message: PushMessage) => readonly Size[];

type TooLarge = { refusal: Extract<RefusalOf<typeof SendPush>, { code: 'PUSH_TOO_LARGE' }> };

/** Nobody is to get what others do not: one provider that does not take it is enough. */
export function tooLarge(message: PushMessage, sizeOf: SizeOf): TooLarge | null {
  const size = sizeOf(message).find(({ bytes, limit }) => bytes > limit);
  return size ? { refusal: { code: 'PUSH_TOO_LARGE', facts: { ...size } } } : null;
}
