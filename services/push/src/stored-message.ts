// Messages as they are stored, whichever version stored them.
import { type PushMessage, plainPush } from '@landfall/contracts';

/** A message as it is stored, whichever version stored it. */
export const readMessage = (stored: unknown): PushMessage => ({ ...plainPush, ...(stored as PushMessage) });

/** Without the fields that say what is so in any case. */
export const withoutPlain = (message: PushMessage): object =>
  Object.fromEntries(
    Object.entries(message).filter(
      ([field, value]) =>
        !(field in plainPush) || JSON.stringify(value) !== JSON.stringify(plainPush[field as PlainField]),
    ),
  );
type PlainField = keyof typeof plainPush;
