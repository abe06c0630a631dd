// The settings of the systems of tests.
import type { LandfallOptions } from '@landfall/standalone';

export const LINK_DOMAIN = 'links.test';
export const PUBLIC_URL = 'http://api.test';

/** The people of a test make teams of their own; what others may make by default is tested by itself. */
export const OPEN = { TEAM_CREATION: 'anyone', MAX_TEAMS_PER_PERSON: '1000' };

/** For how long things are kept: the defaults of the product's settings. */
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
