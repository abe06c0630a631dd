// Who asks, as attribution may know it: hashes, and the platform where the user agent says it.
import type { Platform } from '@landfall/contracts';
import { classifyVisitor } from '../link-host/visitor.ts';
import type { Call, GatewayParts } from '../route.ts';

interface Given {
  userEmail?: string | undefined;
  deviceFingerprint?: string | undefined;
}

export function asker(
  call: Pick<Call<'key', unknown, unknown, unknown>, 'address' | 'userAgent'>,
  parts: GatewayParts,
  given: Given,
) {
  const { hashes } = parts;
  return {
    email: given.userEmail === undefined ? null : hashes.email(given.userEmail),
    fingerprint: given.deviceFingerprint === undefined ? null : hashes.fingerprint(given.deviceFingerprint),
    address: hashes.address(call.address),
    userAgent: hashes.userAgent(call.userAgent),
    platform: platformOf(call.userAgent),
  };
}

/** Null for an SDK's user agent, which says nothing about the phone. */
export function platformOf(userAgent: string): Platform | null {
  const { kind, platform } = classifyVisitor({ 'user-agent': userAgent });
  return kind === 'person' && (platform === 'ios' || platform === 'android') ? platform : null;
}
