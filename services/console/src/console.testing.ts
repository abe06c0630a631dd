// The console's routes for tests: each is called as its handler is, by any actor, on PostgreSQL and without HTTP.
import { randomUUID } from 'node:crypto';
import { createInProcessBus, type EventToTell, type InProcessBus } from '@landfall/bus';
import { type Actor, type App, type EventDef, events, OPERATOR } from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase, emptyTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { ApiError, createHosts, hashes } from '@landfall/http';
import { createSealer } from '@landfall/runtime';
import { type Clock, fakeClock, testLogger } from '@landfall/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import type { z } from 'zod';
import type { Caller } from './access/caller.ts';
import { createCookies } from './access/cookies.ts';
import { actorOf, whoCalls, withoutGuest } from './access/principal.ts';
import { accountRepository } from './account-repository.ts';
import { createApp } from './apps/apps.ts';
import { createChange } from './changes/change.ts';
import { createOutbox } from './changes/outbox.ts';
import { consoleConfig, DEFAULT_RULES, type Rules } from './config.ts';
import { createLookups } from './lookups/lookups.ts';
import type { ConsoleParts } from './parts.ts';
import { createPasswords } from './passwords/passwords.ts';
import type { ManageRoute } from './routing/route.ts';
import { createPasskeys } from './second-factor/passkeys.ts';
import { consoleService } from './service.ts';
import { createSignInGate } from './sessions/sign-in-gate.ts';
import type { Team } from './teams/team-repository.ts';
import { createTeam } from './teams/teams.ts';

const SECRETS = { HASH_SECRET: 'another of thirty-two characters', SEAL_SECRET: 'a secret of thirty-two characters' };
/** Argon2id with the lowest cost, which takes almost no time. */
export const passwords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });

/** The answer of a route: its reply as its client gets it, or the code of the error. */
export type Answered<R extends ManageRoute> =
  | { ok: true; reply: z.output<R['reply']> }
  | { ok: false; refusal: { code: string; facts: object } };

/** A browser. It keeps the cookies that it gets, and sends them. */
export interface Browser {
  address: string;
  cookies: Map<string, string>;
}

export const newBrowser = (address = '198.51.100.7'): Browser => ({ address, cookies: new Map() });

const headersOf = ({ cookies }: Browser) => ({ cookie: [...cookies].map((pair) => pair.join('=')).join('; ') });

/** What a handler gets of a request of the browser. */
export const callFrom = (browser: Browser) => ({
  address: { key: browser.address, site: null, matchable: true },
  userAgent: 'Firefox',
  headers: headersOf(browser),
  setHeader(name: string, values: string | string[]) {
    if (name !== 'Set-Cookie') return;
    for (const [, cookie = '', value = ''] of [values].flat().map((one) => /^([^=]+)=([^;]*)/.exec(one) ?? []))
      browser.cookies.set(cookie, value);
  },
});

/** Returns who is signed in in the browser. Null: nobody. */
export const callerIn = async (browser: Browser, { lookups, cookies, now }: ConsoleParts): Promise<Caller | null> =>
  withoutGuest(await whoCalls({ lookups, cookies, now, demoTeam: undefined })(headersOf(browser)));

/** The tools of a test. Valid inside tests and hooks. */
export interface ConsoleFixture {
  readonly bus: InProcessBus;
  readonly database: Database;
  readonly clock: Clock;
  readonly parts: ConsoleParts;
  /** The events that were sent. */
  readonly told: { event: EventDef; data: unknown }[];
  /**
   * Calls a route. The fields are those of its path, its query and its body, by their names. `actor`: who calls.
   * `browser`: the browser that calls; without an actor, whoever is signed in there calls. The operator when both are
   * left out. `headers`: more headers of the request. Nobody checks whether the actor may: what the handler checks is
   * what is tested.
   */
  ask<R extends ManageRoute>(route: R, given?: Record<string, unknown>): Promise<Answered<R>>;
}

export function consoleSuite(
  name: string,
  tests: (fixture: ConsoleFixture) => void,
  rules: Rules = DEFAULT_RULES,
): void {
  describe(name, () => {
    const fixture = {} as { -readonly [K in keyof ConsoleFixture]: ConsoleFixture[K] };
    let testDatabase: TestDatabase;

    beforeAll(async () => {
      testDatabase = await createTestDatabase(inject('databaseServerUrl'));
      fixture.database = connect({ url: testDatabase.url, max: 8 });
    });
    afterAll(async () => {
      await fixture.database.close();
      await testDatabase.drop();
    });
    beforeEach(async () => {
      await emptyTestDatabase(fixture.database);
      fixture.clock = fakeClock();
      fixture.told = [];
      fixture.bus = createInProcessBus({ log: testLogger(), isTransient, clock: fixture.clock });
      consoleService({ bus: fixture.bus, database: fixture.database });
      for (const event of events)
        fixture.bus.watch(event, (data) => fixture.told.push({ event, data }), { onGap() {} });
      fixture.parts = partsOf(fixture, rules);
      fixture.ask = (route, given = {}) => ask(route, given, fixture.parts);
      await fixture.bus.start();
    });
    afterEach(async () => {
      await fixture.bus.idle();
      await fixture.bus.stop();
    });

    tests(fixture);
  });
}

function partsOf(
  { bus, database, clock }: Pick<ConsoleFixture, 'bus' | 'database' | 'clock'>,
  rules: Rules,
): ConsoleParts {
  const config = consoleConfig({ PORT: '0', PUBLIC_URL: 'http://api.test', LINK_DOMAIN: 'links.test', ...SECRETS });
  const log = testLogger();
  const account = accountRepository(database);
  const lookups = createLookups(bus, account);
  const outbox = createOutbox(database, bus, log, lookups.seen);
  const parts: Partial<ConsoleParts> = {
    bus,
    account,
    change: createChange(outbox, account),
    telling: outbox.telling,
    rules,
    passwords,
    lookups,
    hashes: hashes(config.HASH_SECRET),
    hosts: createHosts(config),
    sealer: createSealer(SECRETS.SEAL_SECRET),
    cookies: createCookies(config.PUBLIC_URL),
    provider: null,
    mailer: null,
    passkeys: createPasskeys(config.PUBLIC_URL),
    signIns: createSignInGate(),
    config,
    log,
    now: () => new Date(clock()),
  };
  return parts as ConsoleParts;
}

export async function ask<R extends ManageRoute>(
  route: R,
  { actor, browser, headers = {}, ...given }: Record<string, unknown>,
  parts: ConsoleParts,
): Promise<Answered<R>> {
  const names = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});
  const pick = (schema: z.ZodType | undefined) =>
    schema?.parse(
      Object.fromEntries(names(schema).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))),
    );
  const from = (browser as Browser | undefined) ?? newBrowser();
  const caller = actor || !browser ? callerOf((actor ?? OPERATOR) as Actor) : await callerIn(from, parts);
  const by =
    (actor as Actor | undefined) ??
    (browser && caller ? actorOf(caller as Caller, parts.hashes.address(callFrom(from).address)) : OPERATOR);
  const call = {
    params: pick(route.params),
    query: pick(route.query),
    body: pick(route.body),
    actor: () => by,
    caller,
    change: (command: string, decide: never) => parts.change({ command, actor: by, now: parts.now() }, decide),
    header: () => undefined,
    hasLeft: () => false,
    ...callFrom(from),
    headers: { ...headersOf(from), ...(headers as object) },
  };
  try {
    return { ok: true, reply: (await route.handle(call as never, parts)) as never };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, refusal: { code: error.code, facts: error.more.body ?? {} } };
    throw error;
  }
}

const callerOf = ({ kind, userId, tokenId }: Actor) =>
  kind === 'operator'
    ? { kind: 'operator', tokenId }
    : kind === 'token'
      ? { kind: 'token', tokenId, userId }
      : { kind: 'session', userId, roles: new Map() };

/** Returns the reply. A refusal fails the test. */
export async function done<T>(asked: Promise<{ ok: true; reply: T } | { ok: false; refusal: { code: string } }>) {
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.reply;
}

/** Returns the code of the refusal. A reply fails the test. */
export async function refused(
  asked: Promise<{ ok: true; reply: unknown } | { ok: false; refusal: { code: string } }>,
): Promise<string> {
  const answer = await asked;
  if (answer.ok) throw new Error(`was not refused: ${JSON.stringify(answer.reply)}`);
  return answer.refusal.code;
}

/** Makes an app that only the operator owns, or an app of a team. */
export async function makeApp(
  fixture: ConsoleFixture,
  { subdomain = `t${randomUUID().slice(0, 8)}`, teamId = null }: { subdomain?: string; teamId?: string | null } = {},
): Promise<App> {
  const { app } = await done(fixture.ask(createApp, { name: 'Shop', subdomain, teamId: teamId ?? undefined }));
  const { linkHost: _, openHost: __, simulated: ___, ...made } = app;
  return made;
}

export async function makeTeam(fixture: ConsoleFixture, actor: Actor): Promise<Team> {
  return (await done(fixture.ask(createTeam, { actor, name: 'Second' }))).team;
}

/** The data of the events of one kind that were sent. */
export const toldOf = ({ told }: Pick<ConsoleFixture, 'told'>, { name }: EventToTell['event']): unknown[] =>
  told.filter(({ event }) => event.name === name).map(({ data }) => data);
