// Levels of evidence: what clients send besides their fingerprint, and what an app allows.
import type { MatchingSettings } from '@landfall/contracts';
import { sentIn } from './vectors.ts';

const NOTHING = {
  /** Sends `installedSecondsAgo`. */
  installAge: false,
  platform: false,
  /** Sends model and version on Android. Link hosts ask Chrome for the same. */
  model: false,
  /** Link hosts have IPv6, and the client proves its IPv6 address. */
  ipv6: false,
  /** Sends the install referrer on Android, where it has a token. */
  referrer: false,
  /** Sends the clipboard of an iPhone, where it has a token. */
  clipboard: false,
  /** Makes an id for each install. The public client's fingerprint is that of many Android phones. */
  ownId: false,
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
    referrer: true,
    clipboard: true,
  },
  { ...IPV6, name: 'all', says: 'everything', referrer: true, clipboard: true },
  { ...clientThat('install-referrer'), name: 'client', says: 'our clients, as their guides set them up' },
  {
    ...clientThat('install-referrer', 'clipboard'),
    name: 'client-clip',
    says: 'our clients, with the clipboard of iPhones',
  },
  {
    ...clientThat('install-referrer', 'clipboard', 'address-token'),
    name: 'client-all',
    says: 'the same with an IPv6 address, and models also from Chrome',
    settings: { evidence: 'device' },
  },
];

/** Returns the evidence that a client of ours sends in these stories. Every client has a test that it does. */
function clientThat(...stories: readonly string[]) {
  const sent = stories.flatMap((story) => sentIn(story));
  return {
    ...NOTHING,
    installAge: sent.includes('installedSecondsAgo'),
    platform: sent.includes('platform'),
    model: sent.includes('model') && sent.includes('osVersion'),
    ipv6: sent.includes('addressToken'),
    referrer: sent.includes('installReferrer'),
    clipboard: sent.includes('clipboard'),
    ownId: sent.includes('deviceFingerprint'),
  };
}
