/** The people of a test make teams of their own; what others may make by default is tested by itself. */
export const OPEN = { TEAM_CREATION: 'anyone', MAX_TEAMS_PER_PERSON: '1000' };
