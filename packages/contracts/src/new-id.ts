// Ids of messages, taps and requests.
import { randomUUID } from 'node:crypto';

let time = { at: 0, digits: '' };

/** The time in milliseconds as the first 48 bits of a UUID, version 7 behind it. Many ids are made in one millisecond. */
function digitsOf(at: number): string {
  if (time.at !== at) {
    const hex = at.toString(16).padStart(12, '0');
    time = { at, digits: `${hex.slice(0, 8)}-${hex.slice(8)}-7` };
  }
  return time.digits;
}

/**
 * Returns a UUID of version 7: its time and 74 random bits. New rows then stand side by side in the index of their ids.
 * Of random ids each goes to another page, and with many rows PostgreSQL would read and write a page for each.
 */
export function newId(): string {
  const digits = digitsOf(Date.now());
  return digits + randomUUID().slice(digits.length);
}
