// Personal data leaves the gateway only as HMAC-SHA-256 under HASH_SECRET. Each kind has its own label, so that the
// hash of an email never equals the hash of an address.
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientAddress } from './addresses/client-address.ts';

export type Hashes = ReturnType<typeof hashes>;

/** The content of a signed install referrer. */
export interface Tap {
  tapId: string;
  linkId: string;
  tappedAt: string;
}

/** Returns the SHA-256 of a secret that we generated, as base64url. */
export const sha256 = (secret: string): string => hash('sha256', secret, 'base64url');

/** The length of two ids and a time. */
const TAP_BYTES = 38;
const MAC_BYTES = 16;
/** 132 bits as base64url. */
const BROWSER_MARK = 22;
const TOKEN = /^[A-Za-z0-9_-]{1,120}$/;

export function hashes(secret: string) {
  const key = createSecretKey(secret, 'utf8');
  const keyed = (kind: string, value: string): string =>
    createHmac('sha256', key).update(`${kind}\0${value}`).digest('base64url');
  const mac = (appId: string, payload: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(`token\0${appId}${payload.toString('latin1')}`, 'latin1')
      .digest()
      .subarray(0, MAC_BYTES);
  /** A cache, because many people have the same few hundred user agents. */
  const userAgents = new LRUCache<string, string>({ max: 2_000, memoMethod: (ua) => keyed('user-agent', ua) });

  return {
    /**
     * Returns a check value that is equal for equal secrets. It hashes a fixed text under a label of its own. It is too
     * short for any other use.
     */
    check: (): string => createHmac('sha256', key).update('check\0').digest('hex').slice(0, 8),
    /** Hashes an address. Null when many strangers share it. */
    address: (address: ClientAddress): string | null => (address.matchable ? keyed('address', address.key) : null),
    /**
     * Returns the key under which rate limits count an address. It differs from the hash that is stored for matching.
     */
    limited: (addressKey: string): string => keyed('limit', addressKey),
    email: (email: string): string => keyed('email', plainEmail(email)),
    /** Hashes the id that an OpenID Connect provider has for a person. */
    identity: (issuer: string, subject: string): string => keyed('identity', `${issuer}\0${subject}`),
    /**
     * Returns a mark for a browser in which the person with the email has signed in. Only we can make it.
     * @param emailHash as `email` makes it
     */
    browserMark: (device: string, emailHash: string): string =>
      keyed('browser', `${device}\0${emailHash}`).slice(0, BROWSER_MARK),
    fingerprint: (fingerprint: string): string => keyed('fingerprint', fingerprint),
    userAgent: (userAgent: string): string => userAgents.memo(userAgent),

    /** Returns a token that names a tap: 54 bytes as base64url. Only we can make it. It is bound to the app. */
    signTap(appId: string, tap: Tap): string {
      const token = Buffer.allocUnsafe(TAP_BYTES + MAC_BYTES);
      token.write(hexOf(tap.tapId), 0, 'hex');
      token.write(hexOf(tap.linkId), 16, 'hex');
      token.writeUIntBE(Date.parse(tap.tappedAt), 32, 6);
      mac(appId, token.subarray(0, TAP_BYTES)).copy(token, TAP_BYTES);
      return token.toString('base64url');
    },

    /** Returns the tap that a token names. Null when we did not make the token for this app. */
    readTap(appId: string, token: string): Tap | null {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== TAP_BYTES + MAC_BYTES) return null;
      const payload = bytes.subarray(0, TAP_BYTES);
      if (!timingSafeEqual(mac(appId, payload), bytes.subarray(TAP_BYTES))) return null;
      return {
        tapId: idText(payload.subarray(0, 16)),
        linkId: idText(payload.subarray(16, 32)),
        tappedAt: new Date(payload.readUIntBE(32, 6)).toISOString(),
      };
    },
  };
}

/**
 * Normalises an email. People type an email in several ways, and keyboards have several characters for one letter
 * (NFKC). Lower-casing is in between, because its result may need NFKC again. Trimming is last, because NFKC makes
 * spaces.
 */
export const plainEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();

const hexOf = (id: string): string => id.replaceAll('-', '');
const idText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
