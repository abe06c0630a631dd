// What the account service answers and listens to.
import { type Bus, each } from '@landfall/bus';
import * as contracts from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { accountRepository } from './account-repository.ts';
import { createApp } from './handlers/create-app.ts';
import { createKey } from './handlers/create-key.ts';
import { createToken } from './handlers/create-token.ts';
import { findApp } from './handlers/find-app.ts';
import { findHost } from './handlers/find-host.ts';
import { findKey } from './handlers/find-key.ts';
import { findToken } from './handlers/find-token.ts';
import { listApps } from './handlers/list-apps.ts';
import { listKeys } from './handlers/list-keys.ts';
import { noteKeyUsed } from './handlers/note-key-used.ts';
import { revokeKey } from './handlers/revoke-key.ts';
import { setPlan } from './handlers/set-plan.ts';
import { updateApp } from './handlers/update-app.ts';

export function accountService({ bus, database }: { bus: Bus; database: Database }): void {
  const account = accountRepository(database);

  bus.answer(contracts.FindKey, findKey(account));
  bus.answer(contracts.FindToken, findToken(account));
  bus.answer(contracts.FindApp, findApp(account));
  bus.answer(contracts.FindHost, findHost(account));
  bus.answer(contracts.ListApps, each(listApps(account)));
  bus.answer(contracts.ListKeys, each(listKeys(account)));

  bus.answer(contracts.CreateApp, each(createApp(account)));
  bus.answer(contracts.UpdateApp, each(updateApp(account)));
  bus.answer(contracts.SetPlan, each(setPlan(account)));
  bus.answer(contracts.CreateKey, each(createKey(account)));
  bus.answer(contracts.RevokeKey, each(revokeKey(account)));
  bus.answer(contracts.CreateToken, each(createToken(account)));

  bus.listen('account', contracts.KeyUsed, noteKeyUsed(account));
}
