// The operator's limits on an installation. They do not apply to instance owners and the operator.
import type { Plan } from '@landfall/contracts';

export interface Rules {
  /** The people who may make teams: everybody with an account, or only instance owners. */
  readonly teamCreation: 'instance-owner' | 'anyone';
  /** The number of teams that one person may own, where anyone may make teams. */
  readonly teamsPerPerson: number;
  /** The number of apps in a team. Archived apps count, because they keep their names. */
  readonly appsPerTeam: number;
  /** The number of earlier subdomains that an app may keep. */
  readonly formerSubdomains: number;
  /** The plan of a new app. */
  readonly plan: Plan;
}

export const DEFAULT_RULES: Rules = {
  teamCreation: 'instance-owner',
  teamsPerPerson: 10,
  appsPerTeam: 100,
  formerSubdomains: 10,
  plan: { name: 'unlimited', linksPerMonth: null },
};
