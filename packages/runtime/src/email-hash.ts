// How an email of an app's user is stored. The gateway makes it. The command that deletes a person looks for it.
import { createHmac, type KeyObject } from 'node:crypto';

export const emailHash = (hashSecret: string | KeyObject, email: string): string =>
  createHmac('sha256', hashSecret)
    .update(`email\0${plainEmail(email)}`)
    .digest('base64url');

/**
 * People type an email in several ways, and keyboards have several characters for one letter (NFKC). Lower-casing is in
 * between, because its result may need NFKC again. Trimming is last, because NFKC makes spaces.
 */
export const plainEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
