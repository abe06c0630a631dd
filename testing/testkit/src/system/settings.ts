// The settings of the systems of tests.
import type { LandfallOptions } from '@landfall/standalone';

export const LINK_DOMAIN = 'links.test';
export const PUBLIC_URL = 'http://api.test';

/** The people of a test make teams of their own; what others may make by default is tested by itself. */
export const OPEN = { TEAM_CREATION: 'anyone', MAX_TEAMS_PER_PERSON: '1000' };

/** For how long things are kept: the defaults of the product's settings. */
export const KEEP: LandfallOptions['keep'] = {
  KEEP_PENDING_LINK_DAYS: 30,
  KEEP_CONTACT_HOURS: 48,
  KEEP_RESTORE_DAYS: 30,
  KEEP_AUDIT_DAYS: 400,
  KEEP_PUSH_DAYS: 90,
  KEEP_DEVICE_DAYS: 270,
  KEEP_ANALYTICS_DAYS: 90,
  KEEP_DEAD_LETTER_DAYS: 90,
};
