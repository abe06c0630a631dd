// What the operator lets people make on an installation. Its owners and the operator are bound by none of it.
import type { Plan } from '@landfall/contracts';

export interface Rules {
  /** Whoever has an account may make teams, or owners of the installation alone. */
  readonly teamCreation: 'instance-owner' | 'anyone';
  /** That one person owns; where anyone may make them. */
  readonly teamsPerPerson: number;
  /** Archived ones count: their names stay theirs. */
  readonly appsPerTeam: number;
  /** Subdomains that an app gave up, which stay its own. */
  readonly formerSubdomains: number;
  /** What an app is made with. */
  readonly plan: Plan;
}

export const DEFAULT_RULES: Rules = {
  teamCreation: 'instance-owner',
  teamsPerPerson: 10,
  appsPerTeam: 100,
  formerSubdomains: 10,
  plan: { name: 'unlimited', linksPerMonth: null },
};
