// Makes apps and keys for programs and tests, as the operator does by the routes.
import { randomUUID } from 'node:crypto';
import type { Bus } from '@landfall/bus';
import { type App, AppSettings, OPERATOR, type Plan } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Logger } from '@landfall/runtime';
import { keyOf } from '../access/one-time.ts';
import { accountRepository } from '../account-repository.ts';
import { type Change, type Changing, createChange } from '../changes/change.ts';
import { createOutbox } from '../changes/outbox.ts';
import { DEFAULT_RULES, type Rules } from '../config.ts';
import type { Key } from '../keys/key-repository.ts';
import { addKey } from '../keys/keys.ts';
import type { WantedApp } from './app-repository.ts';
import { makeApp } from './make-app.ts';
import { changePlan } from './update-app.ts';

export type AppsOf = ReturnType<typeof appsOf>;

export interface AppsParts {
  database: Database;
  bus: Bus;
  log: Logger;
  rules?: Rules | undefined;
  now?: (() => Date) | undefined;
}

export function appsOf({ database, bus, log, rules = DEFAULT_RULES, now = () => new Date() }: AppsParts) {
  const account = accountRepository(database);
  const run = createChange(createOutbox(database, bus, log), account);
  const change = <D>(command: string, decide: (at: Changing) => Promise<Change<D>>) =>
    run({ command, actor: OPERATOR, now: now() }, decide);
  return {
    make: (wanted: Pick<WantedApp, 'name' | 'subdomain'> & Partial<WantedApp>): Promise<App> =>
      change('CreateApp', (at) =>
        makeApp(at, rules, { id: at.id, settings: AppSettings.parse({}), teamId: null, ...wanted }),
      ),
    /** Returns the key with this id, if the app already has it, though it may be revoked. */
    async giveKey(
      appId: string,
      { id = randomUUID(), plaintext, label }: { id?: string; plaintext: string; label: string },
    ): Promise<Key> {
      const has = (await account.keys.list(appId)).find((key) => key.id === id);
      return has ?? change('CreateKey', (at) => addKey(at, { id, appId, kind: 'mobile', label, ...keyOf(plaintext) }));
    },
    setPlan: (appId: string, plan: Plan): Promise<App> => change('SetPlan', (at) => changePlan(at, appId, plan)),
  };
}
