// The first starts of the app: what a device sends when it asks for its links, beside what its events tell.
import { hash } from 'node:crypto';
import { type InputOf, majorOf, type Platform, type RestoreLinks } from '@landfall/contracts';
import { randomOf, valuePicker } from '../random.ts';
import type { Client, PhoneOwner } from './clients.ts';

type Asked = InputOf<typeof RestoreLinks>;

export interface Start {
  /** The id and the time of the restore. */
  readonly id: string;
  readonly at: Date;
  /** It has an event of its restore. A handler may decide otherwise, because of the taps of others at its address. */
  readonly finds: boolean;
  readonly asks: Pick<
    Asked,
    'address' | 'ipv6' | 'userAgent' | 'token' | 'model' | 'osMajor' | 'language' | 'installedSecondsAgo' | 'caller'
  >;
}

/** Of somebody who tapped, more is known. */
type Owner = PhoneOwner & Partial<Pick<Client, 'osVersion' | 'language'>>;

interface Tapped {
  readonly id: string;
  readonly link: { readonly linkId: string };
  readonly at: number;
}

/** The default settings match by address for half an hour, and over IPv6 for two hours. */
const BY_ADDRESS_MS = 29 * 60_000;
/** A token on the clipboard of an iPhone is valid for ten minutes. */
const BY_CLIPBOARD_MS = 9 * 60_000;

type Way = 'token' | 'address';

/** Returns the way in which a restore finds a tap of this age: the wanted one, if it can. */
export function wayFor(platform: Platform, wanted: Way, ageMs: number): Way {
  if (platform === 'android') return ageMs > BY_ADDRESS_MS ? 'token' : wanted;
  return ageMs > BY_CLIPBOARD_MS ? 'address' : wanted;
}

const modelOf = valuePicker([
  ['Pixel 9', 20],
  ['Pixel 8a', 12],
  ['SM-S931B', 26],
  ['SM-A556B', 24],
  ['2410DPN6CC', 18],
]);
/** Eight bytes, as the keyed hash of a model. */
const shortHash = (text: string) => hash('sha256', text, 'buffer').subarray(0, 8).toString('base64url');

/** Its numbers are its own, so that the events are those of earlier versions. */
export function createStarts(key: string) {
  const random = randomOf(`starts ${key}`);

  function start(
    { platform, osVersion, language = null }: Owner,
    installedAt: number,
    {
      id = random.uuid(),
      at = installedAt + 300 + random.below(2_500),
      finds = false,
      ...asks
    }: { id?: string; at?: number; finds?: boolean } & Pick<Asked, 'address' | 'ipv6' | 'token'>,
  ): Start {
    const isAndroid = platform === 'android';
    const installedSecondsAgo = Math.floor((at - installedAt) / 1_000) + 4 + random.below(12);
    const client = isAndroid ? 'landfall-android/0.1.0' : 'swift/0.1.0';
    const sent = [
      'installedSecondsAgo',
      ...(asks.token === null ? [] : [asks.token.from === 'clipboard' ? 'clipboard' : 'installReferrer']),
      ...(isAndroid ? ['model', 'osVersion'] : []),
      ...(language === null ? [] : ['language']),
      ...(asks.ipv6 === null ? [] : ['addressToken']),
    ];
    return {
      id,
      at: new Date(at),
      finds,
      asks: {
        ...asks,
        userAgent: hash('sha256', client, 'base64url'),
        model: isAndroid ? shortHash(modelOf(random)) : null,
        osMajor: isAndroid ? (majorOf(osVersion ?? '') ?? 13 + random.below(4)) : null,
        language,
        installedSecondsAgo,
        caller: { keyId: null, client, sent },
      },
    };
  }

  return {
    /** A start that finds the tap: by its token, or else by the address. */
    finding(owner: Owner, installedAt: number, tap: Tapped, found: { id: string; at: number; byToken: boolean }) {
      const { address, platform } = owner;
      const { byToken, ...restore } = found;
      const from = platform === 'ios' ? 'clipboard' : 'referrer';
      const token = byToken
        ? ({ tapId: tap.id, linkId: tap.link.linkId, tappedAt: new Date(tap.at).toISOString(), from } as const)
        : null;
      // A late one proves the IPv6 address at which it was tapped.
      const ipv6 = token === null && found.at - tap.at > BY_ADDRESS_MS ? address : null;
      return start(owner, installedAt, { ...restore, finds: true, address, token, ipv6 });
    },
    /** A start that finds nothing: after a tap, most are in another network, and some are late. */
    losing(owner: Owner, installedAt: number, tap: Tapped | null): Start {
      const isLate = tap !== null && installedAt - tap.at > BY_ADDRESS_MS;
      const address = tap === null || isLate ? owner.address : random.hash();
      return start(owner, installedAt, { address, token: null, ipv6: null });
    },
  };
}
export type Starts = ReturnType<typeof createStarts>;
