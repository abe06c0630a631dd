// Describes the caller to attribution: hashes, and the platform if the client or its user agent names it.
import type { Platform } from '@landfall/contracts';
import type { Call, Uses } from '../routing/route.ts';
import { classifyVisitor } from '../visitor/visitor.ts';

interface Given {
  userEmail?: string | undefined;
  deviceFingerprint?: string | undefined;
  platform?: Platform | undefined;
}

export function asker(
  call: Pick<Call<'key', unknown, unknown, unknown>, 'address' | 'userAgent'>,
  parts: Uses<'hashes'>,
  given: Given,
) {
  const { hashes } = parts;
  return {
    email: given.userEmail === undefined ? null : hashes.email(given.userEmail),
    fingerprint: given.deviceFingerprint === undefined ? null : hashes.fingerprint(given.deviceFingerprint),
    address: hashes.address(call.address),
    site: hashes.site(call.address),
    userAgent: hashes.userAgent(call.userAgent),
    platform: given.platform ?? platformOf(call.userAgent),
  };
}

/**
 * The user agents of Apple's own HTTP library, and those that AFNetworking and Alamofire send instead. A Mac app counts
 * as iOS.
 */
const APPLE_CLIENT =
  /\bCFNetwork\/[\d.]{1,20} Darwin\/|\((?:iPhone|iPad|iPod touch); iOS \d|; iOS [\d.]{1,20}\) Alamofire\//;
const ANDROID_CLIENT = /^Dalvik\/|\bokhttp\//;

/**
 * Returns the platform of a caller of SDK routes, by the default user agent of its HTTP library or browser. Null for an
 * SDK's own user agent, which names no platform.
 */
export function platformOf(userAgent: string): Platform | null {
  if (APPLE_CLIENT.test(userAgent)) return 'ios';
  if (ANDROID_CLIENT.test(userAgent)) return 'android';
  const { kind, platform } = classifyVisitor({ 'user-agent': userAgent });
  return kind === 'person' && (platform === 'ios' || platform === 'android') ? platform : null;
}
