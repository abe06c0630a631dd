// The operator's limits on an installation. They do not apply to its owners and the operator.
import type { Plan } from '@landfall/contracts';

export interface Rules {
  /** The people who may make teams: everybody with an account, or only owners of the installation. */
  readonly teamCreation: 'instance-owner' | 'anyone';
  /** The number of teams that one person may own, where anyone may make teams. */
  readonly teamsPerPerson: number;
  /** Archived ones count: their names stay theirs. */
  readonly appsPerTeam: number;
  /** Subdomains that an app gave up, which stay its own. */
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
