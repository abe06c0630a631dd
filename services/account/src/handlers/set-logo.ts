import { createHash } from 'node:crypto';
import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type SetLogo } from '@landfall/contracts';
import { stateOf } from '../common/app-changed.ts';
import { lockedApp } from '../common/locked-app.ts';
import { difference } from '../domain/difference.ts';
import { withLogo } from '../domain/settings.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/** Stores an image under its SHA-256, so that its address may be cached for ever. */
export function setLogo(account: AccountRepository): One<typeof SetLogo> {
  return async ({ actor, appId, image }, context): Promise<Outcome<typeof SetLogo>> => {
    const { now } = context;
    const change = await account.change({ command: 'SetLogo', actor, context }, async (tx) => {
      const found = await lockedApp(account, tx, { appId, actor, needed: 'admin', now });
      if ('refusal' in found) return found;
      const { app: before } = found;
      const logo = image === null ? null : logoOf(image);
      const app = await account.apps.setLogo(tx, appId, logo, withLogo(before, logo?.hash ?? null), now);
      const done = { app, hosts: await account.apps.hostsOf(tx, appId) };
      return { subject: appId, teamId: app.teamId, appId, ...difference(before, app), done };
    });
    if ('refusal' in change) return change;
    const { app, hosts } = change.done;
    return { reply: { app }, events: [told(AppChanged, stateOf(app, hosts))] };
  };
}

function logoOf(image: string) {
  const bytes = Uint8Array.from(Buffer.from(image, 'base64'));
  return { hash: createHash('sha256').update(bytes).digest('hex'), image: bytes };
}
