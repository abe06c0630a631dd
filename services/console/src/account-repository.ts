import type { Database } from '@landfall/db';
import { alertRepository } from './alerts/alert-repository.ts';
import { appRepository } from './apps/app-repository.ts';
import { associationRepository } from './association/association-repository.ts';
import { auditRepository } from './audit/audit-repository.ts';
import { channelRepository } from './channels/channel-repository.ts';
import { messageRepository } from './channels/message-repository.ts';
import { clientRepository } from './clients/client-repository.ts';
import { domainRepository } from './domains/domain-repository.ts';
import { keyRepository } from './keys/key-repository.ts';
import { identityRepository } from './oidc/identity-repository.ts';
import { personRepository } from './people/person-repository.ts';
import { reportRepository } from './reports/report-repository.ts';
import { secondFactorRepository } from './second-factor/second-factor-repository.ts';
import { sessionRepository } from './sessions/session-repository.ts';
import { signInRepository } from './sessions/sign-in-repository.ts';
import { setUpRepository } from './set-up/set-up-repository.ts';
import { shareRepository } from './shares/share-repository.ts';
import { invitationRepository } from './teams/invitation-repository.ts';
import { teamRepository } from './teams/team-repository.ts';
import { tokenRepository } from './tokens/token-repository.ts';
import { utmTemplateRepository } from './utm/utm-template-repository.ts';
import { viewRepository } from './views/view-repository.ts';

export type AccountRepository = ReturnType<typeof accountRepository>;

export function accountRepository(database: Database) {
  return {
    apps: appRepository(database),
    domains: domainRepository(database),
    association: associationRepository(database),
    clients: clientRepository(database),
    keys: keyRepository(database),
    tokens: tokenRepository(database),
    people: personRepository(database),
    identities: identityRepository(database),
    secondFactors: secondFactorRepository(database),
    sessions: sessionRepository(database),
    signIns: signInRepository(database),
    setUp: setUpRepository(database),
    teams: teamRepository(database),
    invitations: invitationRepository(database),
    audit: auditRepository(database),
    shares: shareRepository(database),
    channels: channelRepository(database),
    messages: messageRepository(database),
    reports: reportRepository(database),
    alerts: alertRepository(database),
    utmTemplates: utmTemplateRepository(database),
    views: viewRepository(database),
  };
}
