import { type PushMessage, plainPush } from '@landfall/contracts';

/** Returns a stored message, with the defaults of the fields that are not stored. */
export const readMessage = (stored: unknown): PushMessage => ({ ...plainPush, ...(stored as PushMessage) });

/** Returns the message without the fields that have their default. */
export const withoutPlain = (message: PushMessage): object =>
  Object.fromEntries(
    Object.entries(message).filter(
      ([field, value]) =>
        !(field in plainPush) || JSON.stringify(value) !== JSON.stringify(plainPush[field as keyof typeof plainPush]),
    ),
  );
