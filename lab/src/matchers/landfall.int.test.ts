// The lab drives the pure functions of the product over a store of its own. Here the same events also go to the handlers
// of the product on PostgreSQL, and every restore must get the same answer.
import { attributionService } from '@landfall/attribution';
import { createInProcessBus } from '@landfall/bus';
import { LinkClicked, LinkOpened, MatchingSettings, RecordHeartbeat, RestoreLinks } from '@landfall/contracts';
import { connect, isTransient } from '@landfall/db';
import { createTestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { usual } from '../assumptions/assumptions.ts';
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Start, Tap } from '../world/events.ts';
import { type History, simulate } from '../world/history.ts';
import { DAY } from '../world/time.ts';
import { createLandfall, type LandfallOptions } from './landfall.ts';
import { levels } from './levels.ts';
import type { Matcher } from './matcher.ts';
import { APP_ID, BEGIN, hash, numberIn, shortHash, timeOf, uuid } from './names.ts';
import { addressOf, ageOf, provenBy, seenIn, tokenOf, toldBy } from './told.ts';

/** A crowded place with few models of phones, so that a few hundred events meet every rule. */
const crowded: WorldSpec = {
  name: 'crowded',
  says: 'a few people who tap and install all the time',
  values: {
    ...usual,
    penetration: 0.1,
    wholeUsers: 120,
    dailyInstalls: 0.3,
    startsADay: 1.5,
    androidModels: 5,
    androidBuilds: 2,
    homeSize: 4,
    homesWithIpv6: 0.8,
    mobileSubscribers: 30,
    officeSmallest: 3,
    officeLargest: 20,
    clipboards: 0.8,
  },
};

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe('the lab and the product', () => {
  const history = simulate(crowded, { users: 60, warmUp: 0, days: 3 }, 'equal');

  it.each([
    ['public', false, 30],
    ['all', false, 30],
    ['public', true, 30],
    ['ipv6', true, 1],
  ] as const)('give the same links at the level %s, with earlier users: %s', async (name, existingUsers, daysAgo) => {
    const level = levels.find((one) => one.name === name)!;
    const options = { level, existingUsers, createdAt: -daysAgo * DAY, clipboardMinutes: 10 };
    const inMemory = answersOf(history, createLandfall(options));
    const onPostgres = await answersOnPostgres(history, options);
    expect(inMemory.flat().length).toBeGreaterThan(existingUsers ? 3 : 15);
    expect(onPostgres).toEqual(inMemory);
  });
});

function answersOf(history: History, matcher: Matcher): (readonly number[])[] {
  const answers: (readonly number[])[] = [];
  history.replay({
    tap: matcher.tap,
    opening: matcher.opening,
    start(start) {
      const links = matcher.start(start);
      if (!start.heartbeatOnly) answers.push(links);
    },
  });
  return answers;
}

async function answersOnPostgres(history: History, options: LandfallOptions): Promise<number[][]> {
  const { level, existingUsers, createdAt, clipboardMinutes } = options;
  const matching = MatchingSettings.parse({ existingUsers, ...level.settings });
  let now = 0;
  const bus = await openBus(() => BEGIN + now);
  const client = {
    appId: APP_ID,
    userAgent: hash('client 0'),
    language: null,
    country: null,
    appVersion: null,
    matching,
  };
  let messages = 0;
  const answers: number[][] = [];

  const caller = (start: Start) => {
    const { install, v4 } = start;
    const { platform, model, osMajor } = toldBy(install, level);
    const v6 = provenBy(start, level);
    return {
      ...client,
      fingerprint: hash(`device ${install.device}`),
      address: start.heartbeatOnly ? null : hash(`address ${v4}`),
      ipv6: v6 === null ? null : hash(`address ${v6}`),
      platform,
      model: model === null ? null : shortHash(`model ${model}`),
      osMajor,
    };
  };

  const steps: (() => Promise<unknown>)[] = [];
  history.replay({
    tap: (tap) => steps.push(() => click(tap)),
    opening: ({ at, link, v4 }) =>
      steps.push(async () => {
        now = at;
        const id = uuid('opening', messages++);
        await bus.tell(
          LinkOpened,
          { linkId: uuid('link', link), appId: APP_ID, address: hash(`address ${v4}`) },
          { id },
        );
        await bus.idle();
      }),
    start(view) {
      // The object is valid during the call only.
      const start = { ...view };
      steps.push(() => begin(start));
    },
  });
  for (const step of steps) await step();
  return answers;

  async function click(tap: Tap): Promise<void> {
    now = tap.at;
    const { platform, model, osMajor } = seenIn(tap, level);
    const clicked = {
      linkId: uuid('link', tap.link),
      appId: APP_ID,
      url: 'https://demo.links.test/1',
      platform: platform ?? 'desktop',
      inApp: tap.inApp,
      deferred: platform !== null,
      address: hash(`address ${addressOf(tap, level)}`),
      userAgent: hash(`user agent ${tap.userAgent}`),
      osVersion: osMajor === null ? null : `${osMajor}`,
      model: model === null ? null : shortHash(`model ${model}`),
    } as const;
    await bus.tell(LinkClicked, clicked, { id: uuid('tap', tap.id) });
    await bus.idle();
  }

  async function begin(start: Start): Promise<void> {
    now = start.at;
    if (start.heartbeat) await bus.ask(RecordHeartbeat, caller(start), { id: uuid('heartbeat', messages++) });
    if (start.heartbeatOnly) return;
    const question = {
      ...caller(start),
      token: tokenOf(start, level, clipboardMinutes * 60_000),
      email: null,
      installedSecondsAgo: ageOf(start, level),
      appCreatedAt: timeOf(createdAt).toISOString(),
      final: true,
    };
    const answer = await bus.ask(RestoreLinks, question, { id: uuid('restore', messages++) });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    answers.push(answer.reply.matches.map(({ linkId }) => numberIn(linkId)));
  }
}

async function openBus(clock: () => number) {
  const testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  closers.push(() => testDatabase.drop());
  const database = connect({ url: testDatabase.url, max: 4 });
  closers.push(() => database.close());
  const log = testLogger();
  const bus = createInProcessBus({ log, isTransient, clock });
  attributionService({ bus, database, log });
  await bus.start();
  closers.push(() => bus.stop());
  return bus;
}
