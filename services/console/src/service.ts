// The messages that the console answers and listens to. Gateways ask for what they need of keys and apps.
import { type Bus, each } from '@landfall/bus';
import { FindApp, FindHost, FindKey, FindLogo, KeyUsed, SessionUsed, TokenUsed } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import { accountRepository } from './account-repository.ts';
import { findApp, findHost } from './apps/find-app.ts';
import { findKey } from './keys/find-key.ts';
import { noteKeyUsed } from './keys/note-key-used.ts';
import { findLogo } from './logos/find-logo.ts';
import { noteSessionUsed } from './sessions/note-session-used.ts';
import { noteTokenUsed } from './tokens/note-token-used.ts';

export interface ConsoleServiceParts {
  bus: Bus;
  database: Database;
  /** Has the same secret as the gateways. */
  sealer: Sealer;
}

export function consoleService({ bus, database, sealer }: ConsoleServiceParts): void {
  const account = accountRepository(database, sealer);

  bus.answer(FindKey, findKey(account));
  bus.answer(FindApp, findApp(account));
  bus.answer(FindHost, findHost(account));
  bus.answer(FindLogo, each(findLogo(account)));

  // The group is named after the tables. Under another name it would read every event of the topics once more.
  bus.listen('account', KeyUsed, noteKeyUsed(account));
  bus.listen('account', TokenUsed, noteTokenUsed(account));
  bus.listen('account', SessionUsed, noteSessionUsed(account));
}
