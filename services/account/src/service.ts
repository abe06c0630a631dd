// Registers the messages that the account service answers and listens to.
import { type Bus, each } from '@landfall/bus';
import * as contracts from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { DEFAULT_RULES, type Rules } from './domain/rules.ts';
import { acceptInvitation } from './handlers/accept-invitation.ts';
import { addDomain } from './handlers/add-domain.ts';
import { findAssociationCheck, storeAssociationCheck, takeAssociationChecks } from './handlers/association-checks.ts';
import { changePassword } from './handlers/change-password.ts';
import { choosePassword } from './handlers/choose-password.ts';
import { createApp } from './handlers/create-app.ts';
import { createKey } from './handlers/create-key.ts';
import { createTeam } from './handlers/create-team.ts';
import { createToken } from './handlers/create-token.ts';
import { deleteTeam } from './handlers/delete-team.ts';
import { endSessions } from './handlers/end-sessions.ts';
import { findApp } from './handlers/find-app.ts';
import { findHost } from './handlers/find-host.ts';
import { findInvitation } from './handlers/find-invitation.ts';
import { findKey } from './handlers/find-key.ts';
import { findKeyUsage } from './handlers/find-key-usage.ts';
import { findLogo } from './handlers/find-logo.ts';
import { findPerson } from './handlers/find-person.ts';
import { findSession } from './handlers/find-session.ts';
import { findTeam } from './handlers/find-team.ts';
import { findToken } from './handlers/find-token.ts';
import { listIdentitySecrets, makeIdentitySecret, removeIdentitySecret } from './handlers/identity-secrets.ts';
import { invite } from './handlers/invite.ts';
import { joinByInvitation } from './handlers/join-by-invitation.ts';
import { listApps } from './handlers/list-apps.ts';
import { listAudit } from './handlers/list-audit.ts';
import { listDomains } from './handlers/list-domains.ts';
import { listKeys } from './handlers/list-keys.ts';
import { listMembers } from './handlers/list-members.ts';
import { listOwnerTokens } from './handlers/list-owner-tokens.ts';
import { listPeople } from './handlers/list-people.ts';
import { listSessions } from './handlers/list-sessions.ts';
import { listTeams } from './handlers/list-teams.ts';
import { listTokens } from './handlers/list-tokens.ts';
import { makeOwnerToken } from './handlers/make-owner-token.ts';
import { makeToken } from './handlers/make-token.ts';
import { noteAction } from './handlers/note-action.ts';
import { noteKeyUsed, noteSessionUsed, noteTokenUsed } from './handlers/note-used.ts';
import { removeDomain } from './handlers/remove-domain.ts';
import { removeMember } from './handlers/remove-member.ts';
import { renamePerson } from './handlers/rename-person.ts';
import { renameTeam } from './handlers/rename-team.ts';
import { resetPassword } from './handlers/reset-password.ts';
import { revokeInvitation } from './handlers/revoke-invitation.ts';
import { revokeKey } from './handlers/revoke-key.ts';
import { revokeOwnerToken } from './handlers/revoke-owner-token.ts';
import { revokeToken } from './handlers/revoke-token.ts';
import { rotateKey } from './handlers/rotate-key.ts';
import { setLogo } from './handlers/set-logo.ts';
import { setPlan } from './handlers/set-plan.ts';
import { setRole } from './handlers/set-role.ts';
import { findSetUp, offerSetUp, setUp } from './handlers/set-up.ts';
import { signIn } from './handlers/sign-in.ts';
import { signInByProvider } from './handlers/sign-in-by-provider.ts';
import { transferApp } from './handlers/transfer-app.ts';
import { updateApp } from './handlers/update-app.ts';
import { verifyDomain } from './handlers/verify-domain.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { accountRepository } from './repositories/account-repository.ts';

export interface AccountParts {
  bus: Bus;
  database: Database;
  /** Has the same secret as the gateways. */
  sealer: Sealer;
  /** The default rules if missing. */
  rules?: Rules | undefined;
  /** The result of {@link createPasswords} if missing. */
  passwords?: Passwords | undefined;
}

export function accountService({
  bus,
  database,
  sealer,
  rules = DEFAULT_RULES,
  passwords = createPasswords(),
}: AccountParts): void {
  const account = accountRepository(database, sealer);
  const secrets = { sealer, passwords };

  bus.answer(contracts.FindKey, findKey(account));
  bus.answer(contracts.FindToken, findToken(account));
  bus.answer(contracts.FindSession, findSession(account));
  bus.answer(contracts.FindApp, findApp(account));
  bus.answer(contracts.FindHost, findHost(account));
  bus.answer(contracts.FindLogo, each(findLogo(account)));
  bus.answer(contracts.ListApps, each(listApps(account)));
  bus.answer(contracts.ListDomains, each(listDomains(account)));
  bus.answer(contracts.FindAssociationCheck, each(findAssociationCheck(account)));
  bus.answer(contracts.ListKeys, each(listKeys(account)));
  bus.answer(contracts.ListIdentitySecrets, each(listIdentitySecrets(account)));
  bus.answer(contracts.FindKeyUsage, each(findKeyUsage(account)));
  bus.answer(contracts.FindPerson, each(findPerson(account)));
  bus.answer(contracts.ListSessions, each(listSessions(account)));
  bus.answer(contracts.ListTokens, each(listTokens(account)));
  bus.answer(contracts.ListOwnerTokens, each(listOwnerTokens(account)));
  bus.answer(contracts.ListPeople, each(listPeople(account)));
  bus.answer(contracts.FindTeam, each(findTeam(account)));
  bus.answer(contracts.ListTeams, each(listTeams(account)));
  bus.answer(contracts.ListMembers, each(listMembers(account)));
  bus.answer(contracts.FindInvitation, each(findInvitation(account)));
  bus.answer(contracts.ListAudit, each(listAudit(account)));
  bus.answer(contracts.FindSetUp, each(findSetUp(account)));

  bus.answer(contracts.CreateApp, each(createApp(account, rules)));
  bus.answer(contracts.UpdateApp, each(updateApp(account, rules)));
  bus.answer(contracts.SetLogo, each(setLogo(account)));
  bus.answer(contracts.SetPlan, each(setPlan(account)));
  bus.answer(contracts.TransferApp, each(transferApp(account, rules)));
  bus.answer(contracts.AddDomain, each(addDomain(account)));
  bus.answer(contracts.VerifyDomain, each(verifyDomain(account)));
  bus.answer(contracts.RemoveDomain, each(removeDomain(account)));
  bus.answer(contracts.TakeAssociationChecks, each(takeAssociationChecks(account)));
  bus.answer(contracts.StoreAssociationCheck, each(storeAssociationCheck(account)));
  bus.answer(contracts.CreateKey, each(createKey(account)));
  bus.answer(contracts.RotateKey, each(rotateKey(account)));
  bus.answer(contracts.RevokeKey, each(revokeKey(account)));
  bus.answer(contracts.MakeIdentitySecret, each(makeIdentitySecret(account)));
  bus.answer(contracts.RemoveIdentitySecret, each(removeIdentitySecret(account)));
  bus.answer(contracts.CreateToken, each(createToken(account)));
  bus.answer(contracts.MakeToken, each(makeToken(account)));
  bus.answer(contracts.RevokeToken, each(revokeToken(account)));
  bus.answer(contracts.MakeOwnerToken, each(makeOwnerToken(account)));
  bus.answer(contracts.RevokeOwnerToken, each(revokeOwnerToken(account)));
  bus.answer(contracts.CreateTeam, each(createTeam(account, rules)));
  bus.answer(contracts.RenameTeam, each(renameTeam(account)));
  bus.answer(contracts.DeleteTeam, each(deleteTeam(account)));
  bus.answer(contracts.Invite, each(invite(account, secrets)));
  bus.answer(contracts.RevokeInvitation, each(revokeInvitation(account)));
  bus.answer(contracts.AcceptInvitation, each(acceptInvitation(account)));
  bus.answer(contracts.SetRole, each(setRole(account)));
  bus.answer(contracts.RemoveMember, each(removeMember(account)));
  bus.answer(contracts.RenamePerson, each(renamePerson(account)));
  bus.answer(contracts.EndSessions, each(endSessions(account)));
  bus.answer(contracts.SignInByProvider, each(signInByProvider(account, secrets)));
  bus.answer(contracts.ResetPassword, each(resetPassword(account)));
  bus.answer(contracts.NoteAction, each(noteAction(account)));

  bus.answer(contracts.OfferSetUp, each(offerSetUp(account)));
  bus.answer(contracts.SetUp, each(setUp(account, secrets)));
  bus.answer(contracts.SignIn, each(signIn(account, secrets)));
  bus.answer(contracts.JoinByInvitation, each(joinByInvitation(account, secrets)));
  bus.answer(contracts.ChangePassword, each(changePassword(account, secrets)));
  bus.answer(contracts.ChoosePassword, each(choosePassword(account, secrets)));

  bus.listen('account', contracts.KeyUsed, noteKeyUsed(account));
  bus.listen('account', contracts.TokenUsed, noteTokenUsed(account));
  bus.listen('account', contracts.SessionUsed, noteSessionUsed(account));
}
