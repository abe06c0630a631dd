// The places where people find links.
import { picker, type Random } from '../random.ts';

export interface Channel {
  readonly via: 'link' | 'qr' | 'banner';
  /** The share of computers among all clients. */
  readonly computers: number;
  /** The app that opens links in its own browser, and the share of phones that use it. */
  readonly inApp: readonly [name: string, share: number] | null;
  /** The page that browsers name, and the share of browsers that name it. */
  readonly referrer: readonly [host: string, share: number] | null;
  /** Installs, as a multiple of the usual rate. */
  readonly quality: number;
}

const channel = (settings: Partial<Channel>): Channel => ({
  via: 'link',
  computers: 0.15,
  inApp: null,
  referrer: null,
  quality: 1,
  ...settings,
});

export const channels = {
  instagram: channel({ computers: 0.04, inApp: ['Instagram', 0.86], referrer: ['l.instagram.com', 0.9] }),
  facebook: channel({ computers: 0.12, inApp: ['Facebook', 0.8], referrer: ['l.facebook.com', 0.85] }),
  tiktok: channel({ computers: 0.03, inApp: ['TikTok', 0.88], referrer: ['www.tiktok.com', 0.6], quality: 0.6 }),
  x: channel({ computers: 0.24, inApp: ['X', 0.7], referrer: ['t.co', 0.95], quality: 0.8 }),
  linkedin: channel({ computers: 0.4, inApp: ['LinkedIn', 0.7], referrer: ['www.linkedin.com', 0.7], quality: 0.7 }),
  reddit: channel({ computers: 0.38, inApp: ['Reddit', 0.5], referrer: ['www.reddit.com', 0.8] }),
  youtube: channel({ computers: 0.3, referrer: ['www.youtube.com', 0.8] }),
  google: channel({ computers: 0.27, referrer: ['www.google.com', 0.95], quality: 1.2 }),
  email: channel({ computers: 0.33, inApp: ['Gmail', 0.22], quality: 0.9 }),
  telegram: channel({ computers: 0.14, inApp: ['Telegram', 0.55], referrer: ['web.telegram.org', 0.1] }),
  /** Invites go from person to person. Messengers name no page. */
  messenger: channel({ computers: 0.06, inApp: ['Messenger', 0.08], quality: 1.9 }),
  poster: channel({ via: 'qr', computers: 0, quality: 1.4 }),
  banner: channel({ via: 'banner', computers: 0, referrer: ['www.shop.example', 0.97], quality: 1.5 }),
} as const satisfies Record<string, Channel>;

export type ChannelName = keyof typeof channels;

/** The channel of a person with an invite. */
export const inviteChannel = picker({ messenger: 70, telegram: 12, email: 8, instagram: 6, poster: 4 });

export function referrerOf({ referrer }: Channel, random: Random): string | null {
  return referrer !== null && random.chance(referrer[1]) ? referrer[0] : null;
}
