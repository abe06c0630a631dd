// Levels of evidence: what a client sends besides its fingerprint.

export interface Level {
  readonly name: string;
  readonly says: string;
  /** Sends `installedSecondsAgo`. */
  readonly installAge: boolean;
  readonly platform: boolean;
  /** Sends the install referrer on Android, where the store has it. */
  readonly referrer: boolean;
  /** Sends the token that the page of the tap left in the clipboard of an iPhone, where the person allows it. */
  readonly clipboard: boolean;
}

const nothing = { installAge: false, platform: false, referrer: false, clipboard: false };
const evidence = { ...nothing, installAge: true, platform: true };

export const levels: readonly Level[] = [
  { ...nothing, name: 'public', says: "today's public client" },
  { ...nothing, name: 'age', says: '+ time since install', installAge: true },
  { ...evidence, name: 'platform', says: '+ platform' },
  { ...nothing, name: 'tokens', says: 'referrers and clipboards alone', referrer: true, clipboard: true },
  { ...evidence, name: 'all', says: 'everything', referrer: true, clipboard: true },
];
