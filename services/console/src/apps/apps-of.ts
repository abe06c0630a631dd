// Makes apps and keys for programs and tests, as the operator does by the routes.
import { randomUUID } from 'node:crypto';
import type { Bus } from '@landfall/bus';
import { type Actor, type App, AppSettings, type Key, type Plan } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Logger } from '@landfall/runtime';
import { keyOf } from '../access/one-time.ts';
import { accountRepository } from '../account-repository.ts';
import { type Change, type Changing, createChange } from '../changes/change.ts';
import { createOutbox } from '../changes/outbox.ts';
import { DEFAULT_RULES, type Rules } from '../domain/rules.ts';
import { addKey } from '../keys/add-key.ts';
import { makeApp, type WantedApp } from './make-app.ts';
import { changePlan } from './update-app.ts';

export interface AppsOf {
  /** @throws ApiError with the reason why there is no such app */
  make(wanted: Pick<WantedApp, 'name' | 'subdomain'> & Partial<WantedApp>): Promise<App>;
  /** Returns the key with this id, if the app already has it, though it may be revoked. */
  giveKey(appId: string, key: { id?: string; plaintext: string; label: string }): Promise<Key>;
  setPlan(appId: string, plan: Plan): Promise<App>;
}

const OPERATOR: Actor = { kind: 'operator', userId: null, tokenId: null, address: null };

export interface AppsParts {
  database: Database;
  bus: Bus;
  log: Logger;
  /** The default rules if missing. */
  rules?: Rules | undefined;
  /** The clock of this machine if missing. */
  now?: (() => Date) | undefined;
}

export function appsOf({ database, bus, log, rules = DEFAULT_RULES, now = () => new Date() }: AppsParts): AppsOf {
  const account = accountRepository(database, { seal: unused, open: unused });
  const run = createChange(database, createOutbox(database, bus, log));
  const change = <D>(command: string, decide: (at: Changing) => Promise<Change<D>>) =>
    run({ command, actor: OPERATOR, now: now() }, decide);
  return {
    make: (wanted) =>
      change('CreateApp', (at) =>
        makeApp({ account, rules }, at, { id: at.id, settings: AppSettings.parse({}), teamId: null, ...wanted }),
      ),
    async giveKey(appId, { id = randomUUID(), plaintext, label }) {
      const has = (await account.keys.list(appId)).find((key) => key.id === id);
      return (
        has ??
        change('CreateKey', (at) => addKey(account, at, { id, appId, kind: 'mobile', label, ...keyOf(plaintext) }))
      );
    },
    setPlan: (appId, plan) => change('SetPlan', (at) => changePlan(account, at, appId, plan)),
  };
}

/** The people of an installation have sealed emails. Its apps have not. */
function unused(): never {
  throw new Error('nothing is sealed here');
}
