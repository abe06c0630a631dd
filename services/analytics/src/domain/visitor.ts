// Makes one number for a visitor on one day. It cannot be traced back, and it says nothing about other days, once the
// salt of the day is deleted.
import { hash } from 'node:crypto';

/**
 * @param salt of the day, as text of a fixed length
 * @param visitorKey the keyed hashes of the address and of the user agent. All parts have a fixed length, so that no two
 *   visitors share a text.
 */
export function visitorOf(salt: string, appId: string, visitorKey: string): bigint {
  const digest = hash('sha256', `${salt}${appId}${visitorKey}`, 'buffer');
  return digest.readBigInt64BE();
}
