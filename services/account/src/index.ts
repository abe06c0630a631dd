// The exports of the account service for the process that runs it.
export { AccountConfig, InitOwnerConfig, initOwnerOf, keepOf, RulesConfig, rulesOf } from './config.ts';
export type { Rules } from './domain/rules.ts';
export { ensureFirstOwner, type InitOwner } from './first-owner.ts';
export { createPasswords, type Passwords } from './passwords/passwords.ts';
export { type Deleted, deleteExpired, type Retention } from './retention.ts';
export { accountService } from './service.ts';
