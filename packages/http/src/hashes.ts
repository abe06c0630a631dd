// Personal data leaves the gateway only as HMAC-SHA-256 under HASH_SECRET. Each kind has its own label, so that the
// hash of an email never equals the hash of an address.
import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import { emailHash } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { ClientAddress } from './addresses/client-address.ts';

export type Hashes = ReturnType<typeof hashes>;

/** The content of a signed install referrer. */
export interface Tap {
  tapId: string;
  linkId: string;
  tappedAt: string;
}

/** An address of a device for a short time. */
export interface ProvenAddress {
  /** The keyed hash of the address. */
  address: string;
  /** The keyed hash of the fingerprint. Null: the token is not bound to a device. */
  device: string | null;
  /** The end of the token, in milliseconds since 1970. */
  until: number;
}

/** Returns the SHA-256 of a secret that we generated, as base64url. */
export const sha256 = (secret: string): string => hash('sha256', secret, 'base64url');

/** The length of two ids and a time. */
const TAP_BYTES = 38;
const MAC_BYTES = 16;
const HASH_BYTES = 32;
/** The length of a hash, the beginning of another, and a time. */
const DEVICE_BYTES = 8;
const ADDRESS_BYTES = HASH_BYTES + DEVICE_BYTES + 6;
const SHORT_BYTES = 8;
/** 132 bits as base64url. */
const BROWSER_MARK = 22;
const TOKEN = /^[A-Za-z0-9_-]{1,120}$/;

/** The two places that keep a token between a tap and the first start of the app. A token is valid for one of them. */
export type TokenPlace = 'referrer' | 'clipboard';

const LABELS: Record<TokenPlace, string> = { referrer: 'token', clipboard: 'clipboard' };

export function hashes(secret: string) {
  const key = createSecretKey(secret, 'utf8');
  const keyed = (kind: string, value: string): string =>
    createHmac('sha256', key).update(`${kind}\0${value}`).digest('base64url');
  // Bytes as text, one character each: a digest as a Buffer costs several times as much.
  const mac = (kind: string, appId: string, payload: string): string =>
    createHmac('sha256', key).update(`${kind}\0${appId}${payload}`, 'latin1').digest('binary').slice(0, MAC_BYTES);
  function signed(kind: string, appId: string, payload: Buffer): string {
    const text = payload.toString('latin1');
    return Buffer.from(text + mac(kind, appId, text), 'latin1').toString('base64url');
  }
  /** Returns the content of a token. Null when we did not make it for this app and this use. */
  function opened(kind: string, appId: string, token: string, length: number): Buffer | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== length + MAC_BYTES) return null;
    const payload = bytes.subarray(0, length);
    const ours = Buffer.from(mac(kind, appId, payload.toString('latin1')), 'latin1');
    return timingSafeEqual(ours, bytes.subarray(length)) ? payload : null;
  }
  /** A cache, because many phones have the same few hundred models. Values are only compared, so 8 bytes are enough. */
  const shortHashes = (kind: string) =>
    new LRUCache<string, string>({
      max: 2_000,
      memoMethod: (value) =>
        createHmac('sha256', key).update(`${kind}\0${value}`).digest().subarray(0, SHORT_BYTES).toString('base64url'),
    });
  const models = shortHashes('model');
  const builds = shortHashes('build');
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
    site: ({ matchable, site }: ClientAddress): string | null =>
      matchable && site !== null ? keyed('site', site) : null,
    /** The key under which rate limits count an address. It differs from the hash for matching. */
    limited: (addressKey: string): string => keyed('limit', addressKey),
    email: (email: string): string => emailHash(key, email),
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

    /** Hashes the model of a phone. Equal models have one hash, however their name is written. */
    model: (model: string): string => models.memo(plainModel(model)),

    /** Hashes a fingerprint of the public client, which names the model and the build of an Android phone. */
    build: (fingerprint: string): string => builds.memo(fingerprint),

    /** Returns a token that names a tap: 54 bytes as base64url. Only we can make it. It is bound to the app. */
    signTap(appId: string, tap: Tap, place: TokenPlace = 'referrer'): string {
      const payload = Buffer.allocUnsafe(TAP_BYTES);
      payload.write(hexOf(tap.tapId), 0, 'hex');
      payload.write(hexOf(tap.linkId), 16, 'hex');
      payload.writeUIntBE(Date.parse(tap.tappedAt), 32, 6);
      return signed(LABELS[place], appId, payload);
    },

    /** Returns the tap that a token names. Null when we did not make the token for this app and this place. */
    readTap(appId: string, token: string, place: TokenPlace = 'referrer'): Tap | null {
      const payload = opened(LABELS[place], appId, token, TAP_BYTES);
      return (
        payload && {
          tapId: idText(payload.subarray(0, 16)),
          linkId: idText(payload.subarray(16, 32)),
          tappedAt: new Date(payload.readUIntBE(32, 6)).toISOString(),
        }
      );
    },

    /** Returns a token that proves an address: 62 bytes as base64url, for the app and perhaps one device. */
    signAddress(appId: string, { address, device, until }: ProvenAddress): string {
      const end = Buffer.allocUnsafe(6);
      end.writeUIntBE(until, 0, 6);
      return signed('address-token', appId, Buffer.concat([Buffer.from(address, 'base64url'), boundTo(device), end]));
    },

    /** Returns the hash of the address that a token proves. Null when it is not for this app and device, or too old. */
    readAddress(appId: string, token: string, device: string | null, now: number): string | null {
      const payload = opened('address-token', appId, token, ADDRESS_BYTES);
      if (payload === null || payload.readUIntBE(HASH_BYTES + DEVICE_BYTES, 6) <= now) return null;
      const bound = payload.subarray(HASH_BYTES, HASH_BYTES + DEVICE_BYTES);
      if (!bound.equals(boundTo(null)) && !bound.equals(boundTo(device))) return null;
      return payload.subarray(0, HASH_BYTES).toString('base64url');
    },
  };
}

/** The part of an address token that names its device: the beginning of its hash, or zeros for every device. */
const boundTo = (device: string | null): Buffer =>
  device === null ? Buffer.alloc(DEVICE_BYTES) : Buffer.from(device, 'base64url').subarray(0, DEVICE_BYTES);

const hexOf = (id: string): string => id.replaceAll('-', '');
const idText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Some browsers write the maker before the model, as Samsung's does, and some systems have it in the model. */
const MAKER =
  /^(?:asus|google|honor|htc|huawei|infinix|lenovo|lg|lge|motorola|nokia|oneplus|oppo|realme|samsung|sony|tecno|vivo|xiaomi|zte)[ _-]+(?=\S)/;

const plainModel = (model: string): string =>
  model.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ').replace(MAKER, '');
