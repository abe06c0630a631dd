/** The evidence that counts on each platform. */
const EVERYWHERE = ['language', 'addressToken', 'user'] as const;
export const COUNTS = {
  android: ['installedSecondsAgo', 'installReferrer', 'model', 'osVersion', ...EVERYWHERE],
  ios: ['installedSecondsAgo', 'clipboard', ...EVERYWHERE],
  unknown: ['installedSecondsAgo', ...EVERYWHERE],
} as const;
