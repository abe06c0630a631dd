// Levels of evidence: what clients send besides their fingerprint, and what an app allows.
import type { MatchingSettings } from '@landfall/contracts';

export interface Level {
  readonly name: string;
  readonly says: string;
  /** Sends `installedSecondsAgo`. */
  readonly installAge: boolean;
  readonly platform: boolean;
  /** Sends model and version on Android. Link hosts ask Chrome for the same. */
  readonly model: boolean;
  /** Link hosts have IPv6, and the client proves its IPv6 address. */
  readonly ipv6: boolean;
  /** Sends the install referrer on Android, and on an iPhone the clipboard, where they have a token. */
  readonly tokens: boolean;
  readonly settings: Partial<MatchingSettings>;
}

const NOTHING = { installAge: false, platform: false, model: false, ipv6: false, tokens: false, settings: {} };
const AGE = { ...NOTHING, installAge: true };
const PLATFORM = { ...AGE, platform: true };
const MODEL: Omit<Level, 'name' | 'says'> = { ...PLATFORM, model: true, settings: { evidence: 'device' } };
const IPV6 = { ...MODEL, ipv6: true };

export const levels: readonly Level[] = [
  { ...NOTHING, name: 'public', says: "today's public client" },
  {
    ...NOTHING,
    name: 'default',
    says: 'the same, with the default setting: the app may have users from before',
    settings: { existingUsers: true },
  },
  { ...AGE, name: 'age', says: '+ time since install' },
  { ...PLATFORM, name: 'platform', says: '+ platform' },
  { ...MODEL, name: 'model', says: '+ model and version of Android, also from Chrome' },
  { ...IPV6, name: 'ipv6', says: '+ IPv6 address' },
  {
    ...NOTHING,
    name: 'tokens',
    says: 'the public client with install referrer and clipboard, and nothing else',
    tokens: true,
  },
  { ...IPV6, name: 'all', says: 'everything', tokens: true },
];
