// Levels of evidence: what clients send besides their fingerprint, and what an app allows.
import type { MatchingSettings } from '@landfall/contracts';

const NOTHING = {
  /** Sends `installedSecondsAgo`. */
  installAge: false,
  platform: false,
  /** Sends model and version on Android. Link hosts ask Chrome for the same. */
  model: false,
  /** Link hosts have IPv6, and the client proves its IPv6 address. */
  ipv6: false,
  /** Sends the install referrer on Android, and on an iPhone the clipboard, where they have a token. */
  tokens: false,
  settings: {} as Partial<MatchingSettings>,
};
export type Level = Readonly<typeof NOTHING & { name: string; says: string }>;

const AGE = { ...NOTHING, installAge: true };
const PLATFORM = { ...AGE, platform: true };
const MODEL = { ...PLATFORM, model: true, settings: { evidence: 'device' } } as const;
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
