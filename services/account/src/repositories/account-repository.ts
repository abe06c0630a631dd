// Combines the repositories of this service, one for each subject.
import type { Database } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { appRepository } from './app-repository.ts';
import { auditRepository } from './audit-repository.ts';
import { changeRepository } from './change-repository.ts';
import { associationRepository } from './hosts/association-repository.ts';
import { domainRepository } from './hosts/domain-repository.ts';
import { identityRepository } from './identity-repository.ts';
import { keyRepository } from './key-repository.ts';
import { personRepository } from './person-repository.ts';
import { sessionRepository } from './session-repository.ts';
import { signInRepository } from './sign-in-repository.ts';
import { teamRepository } from './team-repository.ts';
import { tokenRepository } from './token-repository.ts';

export type AccountRepository = ReturnType<typeof accountRepository>;

export function accountRepository(database: Database, sealer: Sealer) {
  return {
    ...changeRepository(database),
    apps: appRepository(database),
    domains: domainRepository(database),
    association: associationRepository(database),
    keys: keyRepository(database),
    tokens: tokenRepository(database),
    people: personRepository(database, sealer),
    identities: identityRepository(database),
    sessions: sessionRepository(database),
    signIns: signInRepository(database),
    teams: teamRepository(database, sealer),
    audit: auditRepository(database, sealer),
  };
}
