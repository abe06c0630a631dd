// The replay of decisions against the decisions themselves, over random histories that go through the real handlers.
import {
  type InputOf,
  LinkClicked,
  LinkEdited,
  LinkOpened,
  type MatchingSettings,
  RecordHeartbeat,
  ReleaseRestore,
  ReplayDecisions,
  RestoreLinks,
  StorePendingLink,
  settingsOfHeartbeat,
} from '@landfall/contracts';
import { openFixture } from '@landfall/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPLAY_SECONDS } from '../domain/restore.ts';
import type { StoredDecision } from '../domain/what-if/rebuild.ts';
import { createReplay, type Replayed } from '../domain/what-if/replay.ts';
import { decisionReader, placeOf } from '../repositories/decision-repository.ts';
import { attributionService } from '../service.ts';
import { clicked, hashOf, heartbeat, id, matching, toRestore, toStore } from '../values.testing.ts';

// There are few values of each kind, so that the events of a history have to do with each other.
const place = fc.constantFrom('home', 'home', 'office');
const link = fc.constantFrom(1, 1, 1, 2, 3);
const phone = fc.integer({ min: 1, max: 6 });
// Most phones tell little, so that seldom one fact alone decides.
const seldom = <T>(...values: T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
const rarely = fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const platform = seldom('ios' as const, 'android' as const);
const model = seldom('pixel', 'galaxy');
const overIpv6 = rarely;

const tap = fc.record({
  does: fc.constant('tap' as const),
  place,
  link,
  browser: fc.integer({ min: 1, max: 2 }),
  platform,
  model,
  osVersion: seldom('13', '14'),
  overIpv6,
});
const store = fc.record({ does: fc.constant('store' as const), place, link, email: fc.boolean() });
const beat = fc.record({ does: fc.constant('heartbeat' as const), place, phone, platform });
const restore = fc.record({
  does: fc.constant('restore' as const),
  place,
  phone,
  platform,
  model,
  build: seldom('build 1', 'another build'),
  osMajor: seldom(13, 14),
  overIpv6,
  installedSecondsAgo: seldom(1, 60, 600, 7_200, 200_000),
  token: rarely,
  email: rarely,
  again: rarely,
});
const open = fc.record({ does: fc.constant('open' as const), place, link });
const release = fc.record({ does: fc.constant('release' as const), lost: fc.boolean() });
const archive = fc.record({ does: fc.constant('archive' as const), link, isArchived: rarely });
const wait = fc.record({
  does: fc.constant('wait' as const),
  minutes: fc.constantFrom(0.1, 0.3, 1, 1, 2, 5, 12, 20, 40, 90, 1_500, 12_000),
});
const action = fc.oneof(
  { weight: 6, arbitrary: tap },
  { weight: 1, arbitrary: store },
  { weight: 3, arbitrary: beat },
  { weight: 8, arbitrary: restore },
  { weight: 1, arbitrary: open },
  { weight: 1, arbitrary: release },
  { weight: 1, arbitrary: archive },
  { weight: 5, arbitrary: wait },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
type Restoring = Extract<Action, { does: 'restore' }>;

const settings = fc.record({
  existingUsers: rarely,
  windowMinutes: fc.constantFrom(0, 10, 30, 30, 60, 60),
  personMinutes: fc.constantFrom(20, 60, 1_440),
  modelWindowMinutes: fc.constantFrom(0, 120),
  ipv6WindowMinutes: fc.constantFrom(0, 120),
  crowdTaps: fc.constantFrom(2, 50, 50, 50),
  newDeviceMinutes: fc.constantFrom(10, 60, 1_440),
  returningDeviceDays: fc.constantFrom(1, 7),
  sharedFingerprintPeople: fc.constantFrom(1, 6),
});

/**
 * Leaves out what a replay cannot know: which taps an opening would have closed that were closed already, which answers
 * would have been released, what an email would have given in place of a token or of a repeated answer, and which other
 * taps a token would have closed at an address where the phone is not.
 */
function foreseeable(actions: readonly Action[]): Action[] {
  let lastTap: Extract<Action, { does: 'tap' }> | undefined;
  let emailAsked = false;
  let now = 0;
  const askedAt = new Map<number, number>();
  const askersOf = ({ phone, again }: Restoring) => (again ? [phone, otherPhone(phone)] : [phone]);
  return actions.flatMap((action) => {
    let one = action;
    if (one.does === 'open' || one.does === 'release') return [];
    if (one.does === 'wait') now += one.minutes * 60;
    if (one.does === 'wait' && one.minutes * 60 >= REPLAY_SECONDS) emailAsked = false;
    if (one.does === 'restore') {
      // With one of the settings, the phone may get its answer of some seconds before again. Then nobody looks at the email.
      const mayRepeat = askersOf(one).some((who) => now - (askedAt.get(who) ?? -Infinity) <= REPLAY_SECONDS);
      for (const who of askersOf(one)) askedAt.set(who, now);
      if (one.email && mayRepeat) one = { ...one, email: false };
      if (one.email) emailAsked = true;
    }
    // While an answer is repeated, nobody looks for links of the email.
    if (emailAsked && one.does === 'archive') return [];
    if (emailAsked && one.does === 'store') return [{ ...one, email: false }];
    if (one.does === 'tap') lastTap = one;
    if (one.does !== 'restore' || !one.token) return [one];
    const isHere = one.place === lastTap?.place && (one.overIpv6 || !lastTap.overIpv6);
    return [{ ...one, email: false, token: isHere }];
  });
}

/** Returns the phone that asks at the same moment, where an action says `again`. */
const otherPhone = (phone: number) => 1 + (phone % 4);

const EMAIL = hashOf('kim@example.com');
const shortHash = (value: string | null) => value && hashOf(value).slice(0, 11);
const ipv6Of = (at: string) => hashOf(`IPv6 of ${at}`);

describe('a replay', () => {
  let fixture: Awaited<ReturnType<typeof openFixture>>;
  let apps = 0;
  beforeAll(async () => {
    fixture = await openFixture({ service: attributionService });
  });
  afterAll(() => fixture.close());

  /**
   * Sends a history to the handlers, of an app for each of the settings. They live at the same times, so that the
   * handlers have more to do at once. Returns the apps.
   */
  async function live(history: readonly Action[], settings: readonly MatchingSettings[]): Promise<string[]> {
    fixture.clock.advance({ days: 40 });
    const lives = settings.map(createApp);
    for (const one of history) {
      if (one.does === 'wait') fixture.clock.advance({ ms: one.minutes * 60_000 });
      else await Promise.all(lives.map(({ does }) => does[one.does](one as never)));
    }
    await fixture.bus.idle();
    return lives.map(({ appId }) => appId);
  }

  /** Returns a new app, and what each action does in it. */
  function createApp(settings: MatchingSettings) {
    const app = ++apps;
    const appId = id(0xa0000 + app);
    const linkId = (n: number) => id(app * 0x100 + n);
    let messages = 0;
    const nextId = () =>
      `${id(0).slice(0, 14)}${(0x1000 + app).toString(16)}-8000-${(messages++).toString(16).padStart(12, '0')}`;
    let lastTap: { tapId: string; linkId: string; tappedAt: string } | null = null;
    let lastRestore: string | null = null;
    let version = 1;

    const ask = async (one: Restoring, who: number) => {
      const restoreId = nextId();
      const question: Partial<InputOf<typeof RestoreLinks>> = {
        appId,
        fingerprint: hashOf(`phone ${who}`),
        address: hashOf(one.place),
        ipv6: one.overIpv6 ? ipv6Of(one.place) : null,
        platform: one.platform,
        model: shortHash(one.model),
        build: shortHash(one.build),
        osMajor: one.osMajor,
        installedSecondsAgo: one.installedSecondsAgo,
        token: one.token ? lastTap : null,
        email: one.email ? EMAIL : null,
        appCreatedAt: '2026-01-01T00:00:00.000Z',
        matching: settings,
      };
      const answer = await fixture.bus.ask(RestoreLinks, toRestore(question), { id: restoreId });
      if (answer.ok && answer.reply.matches.length > 0) lastRestore = restoreId;
    };

    const does: { [Does in Exclude<Action['does'], 'wait'>]: (one: Extract<Action, { does: Does }>) => unknown } = {
      async tap(one) {
        const tapId = nextId();
        const now = new Date(fixture.clock());
        const click = clicked({
          appId,
          linkId: linkId(one.link),
          address: one.overIpv6 ? ipv6Of(one.place) : hashOf(one.place),
          userAgent: hashOf(`browser ${one.browser}`),
          platform: one.platform ?? 'unknown',
          model: shortHash(one.model),
          // The user agent of a browser names them.
          builds: one.browser === 1 ? null : [shortHash('build 1')!, shortHash('build 2')!],
          osVersion: one.osVersion,
        });
        await fixture.bus.tell(LinkClicked, click, { id: tapId, now });
        lastTap = { tapId, linkId: linkId(one.link), tappedAt: now.toISOString() };
      },
      store({ link, place, email }) {
        const stored = { appId, linkId: linkId(link), address: hashOf(place), email: email ? EMAIL : null };
        return fixture.bus.ask(StorePendingLink, toStore(stored), { id: nextId() });
      },
      heartbeat({ phone, place, platform }) {
        const from = { appId, fingerprint: hashOf(`phone ${phone}`), address: hashOf(place), platform };
        return fixture.bus.ask(RecordHeartbeat, heartbeat({ ...from, matching: settingsOfHeartbeat(settings) }), {
          id: nextId(),
        });
      },
      restore: (one) =>
        Promise.all([one.phone, ...(one.again ? [one.phone, otherPhone(one.phone)] : [])].map((who) => ask(one, who))),
      open({ link, place }) {
        const opened = { appId, linkId: linkId(link), address: hashOf(place) };
        return fixture.bus.tell(LinkOpened, opened, { id: nextId(), now: new Date(fixture.clock()) });
      },
      release: ({ lost }) => lastRestore && fixture.bus.ask(ReleaseRestore, { restoreId: lastRestore, lost }),
      archive({ link, isArchived }) {
        const archivedAt = isArchived ? new Date(fixture.clock()).toISOString() : null;
        const state = { slug: 'a', destination: '/a', archivedAt, expiresAt: null, version: ++version };
        return fixture.bus.tell(LinkEdited, { linkId: linkId(link), appId, ...state });
      },
    };
    return { appId, does };
  }

  const history = fc.array(action, { minLength: 20, maxLength: 60, size: 'max' });

  it('with the same settings gives what was given', async () => {
    let [given, replayed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(history, settings, settings, async (actions, ...chosen) => {
        const asDecided = chosen.map((one) => matching(one));
        for (const [n, appId] of (await live(actions, asDecided)).entries()) {
          const asked = { appId, days: 30, current: asDecided[n]!, changed: asDecided[n]! };
          const answer = await fixture.bus.ask(ReplayDecisions, asked);
          const { decisions, given: links, examples } = answer.ok ? answer.reply : expect.unreachable();
          expect(examples).toEqual([]);
          expect(links).toEqual({ before: links.before, after: links.before, newly: 0, noLonger: 0, otherLink: 0 });
          expect(decisions).toMatchObject({ withoutFacts: 0, outOfReach: 0 });
          given += links.before;
          replayed += decisions.total;
        }
      }),
      { numRuns: process.env.FULL ? 12 : 6 },
    );
    // The histories are of use only when many of their restores find something.
    expect(replayed).toBeGreaterThan(30);
    expect(given).toBeGreaterThan(7);
  });

  /** Returns what each restore of an app gives, by the last part of its id. */
  async function outcomes(appId: string, of: (stored: StoredDecision) => Pick<Replayed, 'matchType' | 'linkIds'>) {
    const now = new Date(fixture.clock());
    const stored = await decisionReader(fixture.database).after(appId, placeOf(new Date(0)), now, 1_000);
    return new Map(
      stored.map((one) => {
        const { matchType, linkIds } = of(one);
        const gives = `${matchType} ${linkIds.map((link) => link.slice(-2)).join()}`;
        return [one.id.slice(-4), { gives, repeats: one.repeats !== null }];
      }),
    );
  }
  const NOTHING = { gives: 'null ', repeats: false };

  const told = { platform: null, model: null, overIpv6: false };
  const tapped = (browser: number): Action => ({
    does: 'tap',
    place: 'home',
    link: 1,
    browser,
    osVersion: null,
    ...told,
  });
  const restored = (phone: number, token = false): Action => ({
    does: 'restore',
    place: 'home',
    phone,
    token,
    email: false,
    again: false,
    build: null,
    osMajor: null,
    installedSecondsAgo: null,
    ...told,
  });
  const usual = {
    existingUsers: false,
    windowMinutes: 60,
    personMinutes: 20,
    modelWindowMinutes: 0,
    ipv6WindowMinutes: 0,
    crowdTaps: 2,
    newDeviceMinutes: 10,
    returningDeviceDays: 1,
    sharedFingerprintPeople: 1,
  };
  /** A tap is given by address, and its token comes from another phone, which uses it with the first settings alone. */
  const closedTwice: Action[] = [
    tapped(2),
    { does: 'wait', minutes: 5 },
    tapped(1),
    restored(1),
    restored(3),
    restored(3, true),
    { does: 'store', place: 'home', link: 1, email: false },
    tapped(1),
    restored(2),
  ];

  it('with other settings gives what is given to the same history with these settings', async () => {
    const known = history.map(foreseeable);
    let differences = 0;
    await fc.assert(
      fc.asyncProperty(known, settings, settings, async (actions, one, other) => {
        const [lived, expected] = await live(actions, [matching(one), matching(other)]);
        const decided = await outcomes(expected!, (stored) => stored);
        const before = await outcomes(lived!, (stored) => stored);
        const replay = createReplay(matching(other));
        const after = await outcomes(lived!, (stored) => replay.next(stored));
        for (const id of new Set([...decided.keys(), ...after.keys()])) {
          const [was, is, shouldBe] = [before, after, decided].map((outcomes) => outcomes.get(id) ?? NOTHING);
          // An answer is repeated wherever its claimant is. Where there was no tap, no decision is stored.
          if (shouldBe!.repeats && !after.has(id)) continue;
          expect([id, is!.gives]).toEqual([id, shouldBe!.gives]);
          if (was!.gives !== is!.gives) differences++;
        }
      }),
      { numRuns: process.env.FULL ? 24 : 12, examples: [[closedTwice, { ...usual, existingUsers: true }, usual]] },
    );
    expect(differences).toBeGreaterThan(2);
  });
});
