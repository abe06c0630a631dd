import type { LandfallOptions } from '@landfall/standalone';

/** For how long the systems of tests keep things: the defaults of the product's settings. */
export const KEEP: LandfallOptions['keep'] = {
  pendingLinkDays: 30,
  contactHours: 48,
  restoreDays: 30,
  auditDays: 400,
  pushDays: 90,
  deviceDays: 270,
  analyticsDays: 90,
  deadLetterDays: 90,
};
