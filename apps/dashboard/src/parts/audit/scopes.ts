// Where the entries of an action stand. An action that is named nowhere here is one of an app.

const OF_TEAM: readonly string[] = [
  'AcceptInvitation',
  'CreateTeam',
  'Invite',
  'JoinByInvitation',
  'LeaveTeam',
  'MakeToken',
  'RemoveMember',
  'RevokeInvitation',
  'RevokeToken',
  'SetRole',
  'SetUp',
  'UpdateTeam',
];

const OF_INSTANCE: readonly string[] = [
  'AddAuthenticatorApp',
  'AddPasskey',
  'AskForPasswordReset',
  'ChangePassword',
  'ChoosePassword',
  'DeleteTeam',
  'EndSessions',
  'MakeOwnerToken',
  'RemoveAuthenticatorApp',
  'RemovePasskey',
  'RemoveSecondFactor',
  'RenamePerson',
  'RenewRecoveryCodes',
  'ReplayDeadLetters',
  'ResetPassword',
  'RevokeOwnerToken',
  'SignIn',
  'SignInByProvider',
];

/** A log holds the changes of an app, of a team with its apps, or of the instance with all teams. */
export type AuditScope = 'app' | 'team' | 'instance';

export const canOccur = (action: string, scope: AuditScope): boolean =>
  scope === 'instance' || (!OF_INSTANCE.includes(action) && (scope === 'team' || !OF_TEAM.includes(action)));
