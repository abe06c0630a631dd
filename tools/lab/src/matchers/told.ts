// The facts that a browser and a client tell at a level of evidence. The world knows more.
import type { Ask } from '@landfall/attribution/matching';
import type { Install, Start, Tap } from '../world/events.ts';
import type { Platform } from '../world/phones.ts';
import { SECOND } from '../world/time.ts';
import type { Level } from './levels.ts';
import { timeOf, uuid } from './names.ts';

/** The facts of a phone, as numbers. */
export interface PhoneFacts {
  readonly platform: Platform | null;
  readonly model: number | null;
  readonly osMajor: number | null;
}

/** Returns the address of a tap. */
export const addressOf = ({ v4, v6 }: Tap, { ipv6 }: Level): number => (ipv6 && v6 >= 0 ? v6 : v4);

/** Returns what the browser that tapped tells. */
export function seenIn(tap: Tap, { settings }: Level): PhoneFacts {
  const { platform, model, hintedModel, phone } = tap;
  const known = settings.evidence === 'device' ? (model ?? hintedModel) : model;
  return { platform, model: known, osMajor: platform === 'android' && known !== null ? phone.osVersion : null };
}

/** Returns what the client tells of its phone, with each heartbeat and restore. */
export function toldBy({ phone }: Install, level: Level): PhoneFacts {
  const isKnown = level.model && phone.platform === 'android';
  return {
    platform: level.platform ? phone.platform : null,
    model: isKnown ? phone.model : null,
    osMajor: isKnown ? phone.osVersion : null,
  };
}

/** Returns the device that the client says it is. */
export const deviceOf = ({ device, ownId }: Install, level: Level): number => (level.ownId ? ownId : device);

/** Returns the IPv6 address that the client proves, or null. */
export const provenBy = ({ v6 }: Start, { ipv6 }: Level): number | null => (ipv6 && v6 >= 0 ? v6 : null);

/** Returns whole seconds since the install, or null. */
export const ageOf = ({ at, install }: Start, { installAge }: Level): number | null =>
  installAge ? Math.floor((at - install.installedAt) / SECOND) : null;

/**
 * Returns the content of the token that the client sends. The clipboard keeps it for the first start only.
 * @param clipboardFor milliseconds after the tap for which a token from the clipboard counts
 */
export function tokenOf({ at, install, isFirst }: Start, level: Level, clipboardFor: number): Ask['token'] {
  const { sentReferrer, referrer, clipboard } = install;
  const referred = sentReferrer ?? (level.referrer ? referrer : null);
  if (referred !== null) return contentOf(referred, 'referrer');
  const isCopied = level.clipboard && isFirst && clipboard !== null && at - clipboard.at < clipboardFor;
  return isCopied ? contentOf(clipboard, 'clipboard') : null;
}

const contentOf = ({ id, link, at }: Tap, from: 'referrer' | 'clipboard'): Ask['token'] => ({
  tapId: uuid('tap', id),
  linkId: uuid('link', link),
  tappedAt: timeOf(at).toISOString(),
  from,
});
