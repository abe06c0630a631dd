// The lab drives the pure functions of the product over a store of its own. Here the same events also go to the handlers
// of the product on PostgreSQL, and every restore must get the same answer.
// Full run: it compares thousands of decisions with those of the lab.
import { attributionService, deleteExpired } from '@landfall/attribution';
import type { Restore } from '@landfall/attribution/matching';
import { createInProcessBus } from '@landfall/bus';
import {
  LinkClicked,
  LinkOpened,
  MatchingSettings,
  RecordHeartbeat,
  RestoreLinks,
  settingsOfHeartbeat,
} from '@landfall/contracts';
import { connect, isTransient } from '@landfall/db';
import { createTestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { usual } from '../assumptions/assumptions.ts';
import type { WorldSpec } from '../assumptions/worlds.ts';
import type { Opening, Start, Tap } from '../world/events.ts';
import { type History, simulate } from '../world/history.ts';
import { DAY, HOUR } from '../world/time.ts';
import { createLandfall, type LandfallOptions } from './landfall.ts';
import { levels } from './levels.ts';
import { APP_ID, BEGIN, hash, numberIn, shortHash, timeOf, uuid } from './names.ts';
import { addressOf, ageOf, provenBy, seenIn, tokenOf, toldBy } from './told.ts';

/** A crowded place with few models of phones, so that a few hundred events meet every rule. */
const crowded: WorldSpec = {
  name: 'crowded',
  says: 'a few people who tap and install all the time',
  values: {
    ...usual,
    penetration: 0.1,
    wholeUsers: 100,
    dailyInstalls: 0.8,
    startsADay: 0.8,
    reinstalls: 0.4,
    userTaps: 1.5,
    userTapsAtServer: 0.8,
    userTapsOpened: 0.6,
    openAfterSeconds: 90,
    campaignTaps: 0.3,
    campaignLinks: 2,
    inviteMinutes: 5,
    invitedAtHome: 0.4,
    invitedAtWork: 0.3,
    tapAgain: 0.5,
    reopens: 0.5,
    reopenMinutes: 0.5,
    lostAnswers: 0.5,
    startAgainSeconds: 8,
    androidModels: 5,
    androidBuilds: 2,
    homeSize: 4,
    homesWithIpv6: 0.8,
    homesBehindNat: 0.5,
    natHomes: 4,
    mobileSubscribers: 100,
    officeSmallest: 10,
    officeLargest: 30,
    clipboards: 0.8,
  },
};

/** The product deletes old rows every hour. The lab forgets contacts by itself. */
const KEPT = { KEEP_PENDING_LINK_DAYS: 30, KEEP_CONTACT_HOURS: 168, KEEP_RESTORE_DAYS: 30 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The links of a restore, and for each candidate the reason, with the people and the times that were counted. */
interface Answer {
  readonly at: number;
  readonly links: readonly number[];
  readonly reasons: readonly string[];
}

describe('the lab and the product', () => {
  const history = simulate(crowded, { users: 32, warmUp: 0, days: 3 }, 'equal');

  it.each([['public', false], ['tokens', true], ...(process.env.FULL ? ([['all', false]] as const) : [])] as const)(
    'answer each restore alike at the level %s, with earlier users: %s',
    async (name, existingUsers) => {
      const level = levels.find((one) => one.name === name)!;
      const options = { starts: history.starts, level, existingUsers, createdAt: -30 * DAY, clipboardMinutes: 10 };
      const inMemory = answersOf(history, options);
      expect(await answersOnPostgres(history, options)).toEqual(inMemory);
      expect(inMemory.filter(({ links }) => links.length > 0).length).toBeGreaterThan(10);
      expect(inMemory.filter(({ links }) => links.length === 0).length).toBeGreaterThan(50);
    },
  );
});

function answersOf(history: History, options: LandfallOptions): Answer[] {
  const answers: Answer[] = [];
  let at = 0;
  const matcher = createLandfall({
    ...options,
    decided: ({ reply, considered }) => answers.push(answerOf(at, reply.matches, considered)),
  });
  history.replay({
    ...matcher,
    start(start) {
      at = start.at;
      const given = answers.length;
      const links = matcher.start(start);
      if (links.length > 0) expect(answers[given]?.links).toEqual(links);
    },
  });
  return answers;
}

const answerOf = (
  at: number,
  matches: readonly { linkId: string }[],
  considered: readonly { matchType: string; reason: string }[],
): Answer => ({
  at,
  links: matches.map(({ linkId }) => numberIn(linkId)),
  reasons: considered.map(({ matchType, reason }) => `${matchType}: ${reason}`).sort(),
});

async function answersOnPostgres(history: History, options: LandfallOptions): Promise<Answer[]> {
  const { level, existingUsers, createdAt, clipboardMinutes } = options;
  const matching = MatchingSettings.parse({ existingUsers, ...level.settings });
  let now = 0;
  const { bus, database } = await openHouse(() => BEGIN + now);
  const client = {
    appId: APP_ID,
    userAgent: hash('client 0'),
    language: null,
    country: null,
    appVersion: null,
    matching,
  };
  let messages = 0;
  const links: number[][] = [];

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
  const told: Promise<void>[] = [];
  history.replay({
    tap: (tap) => steps.push(async () => told.push(click(tap))),
    opening: (opening) => steps.push(async () => told.push(open(opening))),
    start: (start) => steps.push(() => begin(start)),
  });
  let cleaned = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    if (now - cleaned >= HOUR) {
      await deleteExpired(database, timeOf(now), KEPT);
      cleaned = now;
    }
    await step();
  }
  const rows = await database.rows<{ at: Date; reply: Restore['reply']; considered: Restore['considered'] }>(
    'select at, reply, considered from attribution.restores order by at, message_id',
  );
  const answers = rows.map(({ at, reply, considered }) => answerOf(at.getTime() - BEGIN, reply.matches, considered));
  // A restore without a row got nothing.
  expect(answers.map((answer) => answer.links).filter(({ length }) => length > 0)).toEqual(
    links.filter(({ length }) => length > 0),
  );
  // The product also stores restores that looked at no tap, to replay them with other settings.
  return answers.filter((answer) => answer.links.length > 0 || answer.reasons.length > 0);

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
      builds: tap.build === null ? null : [shortHash(`build ${tap.build}`)],
    } as const;
    await bus.tell(LinkClicked, clicked, { id: uuid('tap', tap.id), now: timeOf(now) });
  }

  async function open({ at, link, v4 }: Opening): Promise<void> {
    now = at;
    const opened = { linkId: uuid('link', link), appId: APP_ID, address: hash(`address ${v4}`) };
    await bus.tell(LinkOpened, opened, { id: uuid('opening', messages++), now: timeOf(now) });
  }

  async function begin(start: Start): Promise<void> {
    // All taps and openings before a start are handled together.
    await Promise.all(told.splice(0));
    await bus.idle();
    now = start.at;
    if (start.heartbeat) {
      const heartbeat = { ...caller(start), matching: settingsOfHeartbeat(client.matching) };
      await bus.ask(RecordHeartbeat, heartbeat, { id: uuid('heartbeat', messages++) });
    }
    if (start.heartbeatOnly) return;
    const question = {
      ...caller(start),
      build: shortHash(`build ${start.install.device}`),
      token: tokenOf(start, level, clipboardMinutes * 60_000),
      email: null,
      installedSecondsAgo: ageOf(start, level),
      appCreatedAt: timeOf(createdAt).toISOString(),
      final: true,
    };
    const answer = await bus.ask(RestoreLinks, question, { id: uuid('restore', messages++) });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    links.push(answer.reply.matches.map(({ linkId }) => numberIn(linkId)));
  }
}

async function openHouse(clock: () => number) {
  const testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  closers.push(() => testDatabase.drop());
  const database = connect({ url: testDatabase.url, max: 4 });
  closers.push(() => database.close());
  const log = testLogger();
  const bus = createInProcessBus({ log, isTransient, clock });
  attributionService({ bus, database, log });
  await bus.start();
  closers.push(() => bus.stop());
  return { bus, database };
}
