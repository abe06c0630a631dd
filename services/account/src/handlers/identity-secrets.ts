// Makes, lists and removes the secrets with which an app signs the identity of its users.
import { type Context, type One, type Outcome, told } from '@landfall/bus';
import {
  type App,
  AppChanged,
  type IdentitySecret,
  type ListIdentitySecrets,
  type MakeIdentitySecret,
  type RemoveIdentitySecret,
} from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { lockedApp } from '../common/locked-app.ts';
import { hasLasting, liveAt, rotate, view } from '../domain/identity-secrets.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function makeIdentitySecret(account: AccountRepository): One<typeof MakeIdentitySecret> {
  return async (wanted, context): Promise<Outcome<typeof MakeIdentitySecret>> => {
    const { actor, appId, secret: sealed, hint, overlapSeconds } = wanted;
    const { id, now } = context;
    const change = await account.change({ command: 'MakeIdentitySecret', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const stored = await account.apps.identitySecrets(appId, tx);
      const secrets = rotate(stored ?? [], { id, sealed, hint }, overlapSeconds, now);
      const app = await account.apps.setIdentitySecrets(tx, appId, secrets);
      const said = { subject: id, teamId: app.teamId, appId, after: { hint, overlapSeconds } };
      return { ...said, done: { ...toldOf(app, await account.apps.hostsOf(tx, appId)), secrets: secrets.map(view) } };
    });
    if ('refusal' in change) return change;
    const { secrets, changed } = change.done;
    return { reply: { secret: secrets.find((one) => one.id === id)!, secrets }, events: [told(AppChanged, changed)] };
  };
}

export function listIdentitySecrets(account: AccountRepository): One<typeof ListIdentitySecrets> {
  return async ({ appId }, { now }: Context): Promise<Outcome<typeof ListIdentitySecrets>> => {
    const stored = await account.apps.identitySecrets(appId);
    return stored ? { reply: { secrets: liveAt(stored, now).map(view) } } : refuse('APP_NOT_FOUND');
  };
}

export function removeIdentitySecret(account: AccountRepository): One<typeof RemoveIdentitySecret> {
  return async ({ actor, appId, secretId }, context): Promise<Outcome<typeof RemoveIdentitySecret>> => {
    const { now } = context;
    const change = await account.change({ command: 'RemoveIdentitySecret', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const live = liveAt((await account.apps.identitySecrets(appId, tx)) ?? [], now);
      const gone = live.find(({ id }) => id === secretId);
      if (!gone) return refuse('IDENTITY_SECRET_NOT_FOUND');
      const secrets = live.filter((one) => one !== gone);
      if (found.app.identity !== 'off' && !hasLasting(secrets)) return refuse('IDENTITY_SECRET_NEEDED');
      const app = await account.apps.setIdentitySecrets(tx, appId, secrets);
      const said = { subject: secretId, teamId: app.teamId, appId, before: { hint: gone.hint } };
      return { ...said, done: { ...toldOf(app, await account.apps.hostsOf(tx, appId)), secrets: secrets.map(view) } };
    });
    if ('refusal' in change) return change;
    const { secrets, changed } = change.done as {
      secrets: IdentitySecret[];
      changed: ReturnType<typeof toldOf>['changed'];
    };
    return { reply: { secrets }, events: [told(AppChanged, changed)] };
  };
}

const toldOf = (app: App, hosts: string[]) => ({ changed: stateOf(app, hosts) });
