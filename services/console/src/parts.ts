// The parts of the console that its routes may use.
import type { AskOptions, Bus, DeadLetterBox, GroupState } from '@landfall/bus';
import type { RequestDef } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { createHosts, type HttpParts, orRefuse } from '@landfall/http';
import type { MetricDefinition } from '@landfall/runtime';
import type { z } from 'zod';
import { createCookies } from './access/cookies.ts';
import { accountRepository } from './account-repository.ts';
import { createAppChecks } from './association/app-checks.ts';
import { createCheckRuns } from './association/check-runs.ts';
import { createChange } from './changes/change.ts';
import { createOutbox } from './changes/outbox.ts';
import { type ConsoleConfig, DEFAULT_RULES, type Rules } from './config.ts';
import type { DomainCheck } from './domains/check-domain.ts';
import { createLiveFeeds } from './live/live-feeds.ts';
import { createStreams } from './live/streams.ts';
import { createLookups } from './lookups/lookups.ts';
import { createMailer } from './mail/mailer.ts';
import { mailOf } from './mail/settings.ts';
import { CALLBACK, createProvider } from './oidc/provider.ts';
import { oidcOf } from './oidc/settings.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { createPasskeys } from './second-factor/passkeys.ts';
import { createSignInGate } from './sessions/sign-in-gate.ts';
import { createAnswers } from './shares/answers.ts';

/** The metrics of the console, except those that every HTTP server has. */
export const consoleMetricTable = {
  associationChecks: {
    name: 'landfall_association_checks_total',
    type: 'counter',
    labels: ['result'],
    help: 'Checks of the association files of an app by their result: ok, or failed when phones do not get a file.',
  },
} as const satisfies Record<string, MetricDefinition>;

export interface PartsOptions {
  config: ConsoleConfig;
  bus: Bus;
  database: Database;
  rules?: Rules | undefined;
  passwords?: Passwords | undefined;
  deadLetters: DeadLetterBox;
  /** Returns the state of every consumer group. Rejects when the brokers do not answer. */
  groups: () => Promise<GroupState[]>;
}

export type ConsoleParts = ReturnType<typeof createParts>;

export function createParts(
  { hashes, log, metrics, now, sealer, serving, work }: HttpParts,
  { config, bus, database, rules = DEFAULT_RULES, passwords = createPasswords(), deadLetters, groups }: PartsOptions,
) {
  const account = accountRepository(database);
  const lookups = createLookups(bus, account);
  const outbox = createOutbox(database, bus, log, lookups.seen);
  const oidc = oidcOf(config);
  const mail = mailOf(config);
  const checked = metrics.count(consoleMetricTable.associationChecks);
  /** Asks the service that owns the thing, and returns its reply. Throws its refusal as an error answer. */
  const forward = async <D extends RequestDef>(
    to: D,
    input: z.input<D['input']>,
    options?: AskOptions,
  ): Promise<z.output<D['reply']>> => orRefuse(await bus.ask(to, input, options));
  return {
    bus,
    forward,
    account,
    outbox,
    /** Runs a change for an actor. Routes that know their caller use `change` of the call. */
    change: createChange(outbox, account),
    /** Runs a transaction that nobody asks for, and sends its events. */
    telling: outbox.telling,
    rules,
    passwords,
    lookups,
    hashes,
    hosts: createHosts(config),
    /** Seals what people enter for other services, and what their browser keeps. */
    sealer,
    cookies: createCookies(config.PUBLIC_URL),
    provider: oidc ? createProvider(oidc, config.PUBLIC_URL + CALLBACK) : null,
    passkeys: createPasskeys(config.PUBLIC_URL),
    /** Null: the installation sends no email. */
    mailer: mail ? createMailer(mail, { host: new URL(config.PUBLIC_URL).hostname, log }) : null,
    /** Limits work that needs a password hash. */
    signIns: createSignInGate(),
    limits: serving.limits,
    /** What viewers of shares were told in the last minute. */
    answers: createAnswers(now),
    /** Bounds other work that everyone may start. */
    work,
    config,
    log,
    associationChecked: (failing: boolean) => checked(failing ? 'failed' : 'ok'),
    checks: createAppChecks(now),
    /** Checks of custom domains. Somebody may have changed the DNS a moment ago. */
    domainChecks: createCheckRuns<DomainCheck>(5_000, now),
    live: createLiveFeeds({ bus, forward, log, now, lookups }),
    deadLetters,
    groups,
    streams: createStreams(),
    now,
  };
}
