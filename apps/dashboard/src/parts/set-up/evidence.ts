const EVERYWHERE = ['language', 'addressToken', 'user'] as const;
/** The evidence that counts on each platform. */
export const COUNTS = {
  android: ['installedSecondsAgo', 'installReferrer', 'model', 'osVersion', ...EVERYWHERE],
  ios: ['installedSecondsAgo', 'clipboard', ...EVERYWHERE],
  unknown: ['installedSecondsAgo', ...EVERYWHERE],
} as const;

/** Without these, links are not found, so that each one has a fix. The others are good to have. */
export const FINDS = ['installedSecondsAgo', 'installReferrer', 'clipboard', 'model'] as const;
