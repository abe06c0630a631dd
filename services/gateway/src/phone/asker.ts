// What the requests of an app tell of its phone: to attribution as hashes, and as facts that travel with events.
import { APP_VERSION_LENGTH, type Platform } from '@landfall/contracts';
import { clientHeader } from '../access/client-calls.ts';
import type { Call, Uses } from '../routing/route.ts';
import { classifyVisitor } from '../visitor/visitor.ts';

interface Given {
  userEmail?: string | undefined;
  deviceFingerprint?: string | undefined;
  platform?: Platform | undefined;
}

/** Describes the caller to attribution. */
export function asker(
  call: Pick<Call<'key', unknown, unknown, unknown>, 'address' | 'userAgent'>,
  { hashes }: Uses<'hashes'>,
  given: Given,
) {
  return {
    email: given.userEmail === undefined ? null : hashes.email(given.userEmail),
    fingerprint: given.deviceFingerprint === undefined ? null : hashes.fingerprint(given.deviceFingerprint),
    address: hashes.address(call.address),
    site: hashes.site(call.address),
    userAgent: hashes.userAgent(call.userAgent),
    platform: given.platform ?? platformOf(call.userAgent),
  };
}

/** Apple's own HTTP library, and what AFNetworking and Alamofire send. A Mac app counts as iOS. */
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

/** The header with the version of the app. It is optional, and anything that is no version counts as omitted. */
const APP_VERSION = 'x-app-version';

/** The header's entry in the OpenAPI document. */
export const appVersionHeader = {
  'X-App-Version': {
    description: `The version of the app, at most ${APP_VERSION_LENGTH} printable ASCII characters. Analytics counts by it.`,
    pattern: `^[ -~]{1,${APP_VERSION_LENGTH}}$`,
  },
};

/** The headers by which a client tells of the app and of itself. */
export const clientHeaders = { ...appVersionHeader, ...clientHeader };

export const clientFacts = (call: Pick<Call<'none', unknown, unknown, unknown>, 'country' | 'header'>) => ({
  country: call.country(),
  appVersion: appVersionOf(call.header(APP_VERSION)),
});

function appVersionOf(given: string | undefined): string | null {
  const version = given?.trim();
  return version && version.length <= APP_VERSION_LENGTH && /^[ -~]+$/.test(version) ? version : null;
}
