import { describe, expect, it } from 'vitest';
import {
  aDevice,
  anAsk,
  aSighting,
  aTap,
  CHROME,
  HOME,
  hashOf,
  id,
  matching,
  minutesAgo,
  outcome,
  UNCLEAR,
} from '../values.testing.ts';
import type { PendingLink, Sighting } from './candidate.ts';
import { awaitsHeartbeat, decide, MAX_LINKS } from './match.ts';

const EMAIL = hashOf('kim@example.com');
const PHONE = hashOf('phone');
const daysAgo = (n: number) => minutesAgo(n * 24 * 60);
const token = { tapId: id(0x100), linkId: id(0x1), tappedAt: minutesAgo(1).toISOString() };

const known = aSighting({ device: aDevice({ firstSeen: daysAgo(1), newSince: daysAgo(1) }) });
const shared = (sighting: Partial<Sighting> = {}) =>
  aSighting({ device: aDevice({ sharedAt: daysAgo(3), newSince: daysAgo(9) }), ...sighting });

const NO_DEVICE =
  'the app sent neither the fingerprint of its device nor an email, so nobody can tell the devices at this address apart';
const SEVERAL = 'several phones look the same to Landfall';
const NO_HEARTBEAT = `${SEVERAL}, and the app sent no heartbeat with this start: it must, so that one of them is known to be here`;
const INSTALLED = 'tapped when the app was installed already';
const CROWD = 'more than 50 taps at this address wait for an install, so nobody can tell whose is whose';
const OTHER_PLATFORM = 'tapped on an Android phone, and the app was started on an iPhone';

describe('the tiers', () => {
  const rows = () => [
    aTap({ id: id(0x100), linkId: id(1), address: null }),
    aTap({ id: id(0x200), linkId: id(2), email: EMAIL }),
    aTap({ id: id(0x300), linkId: id(3), fingerprint: PHONE }),
    aTap({ id: id(0x400), linkId: id(4) }),
  ];

  it('are asked in order, and the first that gives something wins', () => {
    expect(outcome(rows(), anAsk({ token, email: EMAIL }))).toBe('token: 1');
    expect(outcome(rows(), anAsk({ email: EMAIL }))).toBe('email: 2');
    expect(outcome(rows())).toBe('fingerprint: 3');
    expect(outcome(rows(), anAsk({ fingerprint: hashOf('other') }))).toBe('address: 4');
    expect(outcome(rows(), anAsk({ fingerprint: hashOf('other'), address: hashOf('elsewhere') }))).toBe('');
  });

  it('go on where one gives nothing', () => {
    const old = { ...token, tappedAt: daysAgo(31).toISOString() };
    expect(outcome(rows(), anAsk({ token: old, email: EMAIL }))).toBe('email: 2');
  });

  it('give nothing of another app', () => {
    const ask = anAsk({ token, email: EMAIL, appId: id(0xb) });
    expect(outcome(rows(), ask)).toBe('');
  });

  it('say which tap and when, and what was tapped', () => {
    const { matches } = decide(anAsk(), [aTap()], aSighting());
    expect(matches).toEqual([
      {
        pendingLinkId: id(0x100),
        linkId: id(1),
        originalUrl: 'https://demo.links.test/1',
        sealedUrl: null,
        matchType: 'address',
        matchedAt: '2026-11-15T12:00:00.000Z',
      },
    ]);
  });
});

it('a token gives no tap on another link', () => {
  const tap = aTap({ linkId: id(2), address: null });
  expect(outcome([tap], anAsk({ token }))).toBe('the token names another link');
});

describe('a link that is gone', () => {
  const archived = { archivedAt: minutesAgo(1) };
  const expired = { expiresAt: minutesAgo(0) };

  it.each([
    [archived, 'the link is archived'],
    [expired, 'the link has expired'],
  ])('is given to nobody, and the reason is said: %j', (gone, reason) => {
    expect(outcome([aTap(gone)], anAsk({ token }), aSighting({ device: null }))).toBe(reason);
    expect(outcome([aTap({ ...gone, email: EMAIL })], anAsk({ email: EMAIL }))).toBe(reason);
    expect(outcome([aTap({ ...gone, fingerprint: PHONE })])).toBe(reason);
    expect(outcome([aTap(gone)])).toBe(reason);
  });

  it('is given until it expires', () => {
    expect(outcome([aTap({ expiresAt: new Date(minutesAgo(0).getTime() + 1) })])).toBe('address: 1');
  });

  it('hides no other, and makes none unclear', () => {
    const live = aTap({ id: id(0x200), linkId: id(2), userAgent: CHROME, tappedAt: minutesAgo(5) });
    for (const gone of [archived, expired]) expect(outcome([aTap(gone), live])).toBe('address: 2');
  });
});

describe('by email and fingerprint', () => {
  it('gives distinct links, the newest last, by their newest taps', () => {
    const rows = [
      aTap({ id: id(1), linkId: id(1), email: EMAIL, tappedAt: daysAgo(5) }),
      aTap({ id: id(2), linkId: id(2), email: EMAIL, tappedAt: daysAgo(4) }),
      aTap({ id: id(3), linkId: id(1), email: EMAIL, tappedAt: daysAgo(3) }),
      aTap({ id: id(4), linkId: id(3), email: EMAIL, tappedAt: daysAgo(31) }),
    ];
    const { matches, taken } = decide(anAsk({ email: EMAIL }), rows, aSighting());
    expect(matches.map((match) => match.pendingLinkId)).toEqual([id(2), id(3)]);
    expect(taken.map((row) => row.id)).toEqual([id(3), id(2), id(1)]);
  });

  it('gives the newest 20 links and keeps the others for the next start', () => {
    const rows = Array.from({ length: 25 }, (_, i) =>
      aTap({ id: id(0x100 + i), linkId: id(i), email: EMAIL, tappedAt: minutesAgo(60 - i) }),
    );
    const { matches, taken, verdicts } = decide(anAsk({ email: EMAIL }), rows, aSighting());
    expect(matches.map((match) => match.linkId)).toEqual(Array.from({ length: MAX_LINKS }, (_, i) => id(5 + i)));
    expect(taken).toHaveLength(MAX_LINKS);
    expect(verdicts.at(-1)).toMatchObject({ taken: false, reason: 'kept for the next start: more than 20 links' });
  });

  it('gives by fingerprint for 7 days', () => {
    expect(outcome([aTap({ fingerprint: PHONE, tappedAt: daysAgo(6.9) })])).toBe('fingerprint: 1');
    expect(outcome([aTap({ fingerprint: PHONE, tappedAt: daysAgo(7) })])).toBe('');
  });

  it('gives nothing by a fingerprint that several phones have', () => {
    const rows = [aTap({ fingerprint: PHONE })];
    expect(outcome(rows, anAsk(), shared())).toBe(SEVERAL);
  });

  it('gives nothing by fingerprint that was stored for another email', () => {
    const rows = [aTap({ fingerprint: PHONE, email: EMAIL })];
    expect(outcome(rows, anAsk({ email: hashOf('somebody else') }))).toBe('stored for another email');
    expect(outcome(rows, anAsk())).toBe('fingerprint: 1');
  });
});

describe('by address', () => {
  it('gives one link, and one browser’s newest', () => {
    const older = aTap({ id: id(2), linkId: id(2), tappedAt: minutesAgo(4) });
    expect(outcome([aTap(), { ...older, linkId: id(1), userAgent: CHROME }])).toBe('address: 1');
    expect(outcome([aTap(), older])).toBe('address: 1');
    expect(outcome([aTap(), { ...older, userAgent: CHROME }])).toBe(UNCLEAR);
    expect(outcome([aTap({ userAgent: null }), { ...older, userAgent: null }])).toBe(UNCLEAR);
  });

  it('judges two links also by a tap whose own time is over', () => {
    const tired = aTap({ id: id(2), linkId: id(2), userAgent: CHROME, tappedAt: minutesAgo(59), others: 60 });
    expect(outcome([aTap(), tired])).toBe(UNCLEAR);
    expect(outcome([aTap(), { ...tired, tappedAt: minutesAgo(60) }])).toBe('address: 1');
  });

  it('gives in the window, and in the time that the people there share', () => {
    expect(outcome([aTap({ tappedAt: minutesAgo(59) })])).toBe('address: 1');
    expect(outcome([aTap({ tappedAt: minutesAgo(60) })])).toBe('');
    expect(outcome([aTap({ tappedAt: minutesAgo(29), others: 3 })])).toBe('address: 1');
    expect(outcome([aTap({ tappedAt: minutesAgo(30), others: 3 })])).toBe(
      'tapped 30 minutes earlier: with 3 people at this address, the tap must be less than 30 minutes old',
    );
    expect(outcome([aTap()], anAsk({ matching: matching({ windowMinutes: 0 }) }))).toBe('');
  });

  it('gives nothing that is tapped later', () => {
    expect(outcome([aTap({ tappedAt: minutesAgo(-1) })])).toBe('');
  });

  it('gives nothing that was opened again later', () => {
    expect(outcome([aTap({ closedAt: minutesAgo(-1) })])).toBe('');
    expect(outcome([aTap({ closedAt: minutesAgo(0) })])).toBe('address: 1');
  });

  it('gives nothing in a crowd', () => {
    const crowd = (n: number) => Array.from({ length: n }, (_, i) => aTap({ id: id(0x100 + i) }));
    expect(outcome(crowd(50))).toBe('address: 1');
    expect(outcome(crowd(51))).toBe(CROWD);
    const unseen = decide(anAsk(), [], aSighting({ crowd: true }));
    expect(unseen).toMatchObject({
      matchType: null,
      verdicts: [],
      unseen: CROWD,
    });
  });

  it('leaves out what was tapped on another platform', () => {
    const android = aTap({ id: id(2), linkId: id(2), platform: 'android', userAgent: CHROME });
    expect(outcome([aTap(), android], anAsk({ platform: 'ios' }))).toBe('address: 1');
    expect(outcome([android], anAsk({ platform: 'ios' }))).toBe(OTHER_PLATFORM);
    expect(outcome([{ ...android, platform: null }], anAsk({ platform: 'ios' }))).toBe('address: 2');
    expect(outcome([android], anAsk())).toBe('address: 2');
    const heard = aSighting({ device: aDevice({ platform: 'ios' }) });
    expect(outcome([android], anAsk(), heard)).toBe(OTHER_PLATFORM);
    expect(outcome([android], anAsk({ platform: 'android' }), heard)).toBe('address: 2');
  });

  it('gives nothing that was stored for somebody', () => {
    expect(outcome([aTap({ email: EMAIL })])).toBe('');
    expect(outcome([aTap({ fingerprint: hashOf('other') })])).toBe('');
    expect(outcome([aTap({ kind: 'store' })])).toBe('address: 1');
  });

  it('gives nothing to a device that is not new, or that nothing names', () => {
    expect(outcome([aTap()], anAsk(), known)).toBe(
      'the device is not new: the app was first started on it 1 day earlier, and by address it must be less than 1 hour earlier',
    );
    expect(outcome([aTap()], anAsk({ fingerprint: null }), aSighting({ device: null }))).toBe(NO_DEVICE);
  });

  it('gives to a shared fingerprint only at its first start here, with a heartbeat, among few', () => {
    const heartbeat = { lastHeartbeatAt: minutesAgo(0.1) };
    const at = (sighting: Partial<Sighting>) => outcome([aTap({ platform: 'android' })], anAsk(), shared(sighting));
    expect(at(heartbeat)).toBe('address: 1');
    // The browser that tapped is one of the others.
    expect(at({ ...heartbeat, others: 7 })).toBe('address: 1');
    expect(at({ ...heartbeat, others: 8 })).toBe(
      `${SEVERAL}: then at most 6 people may have been at this address in the last 24 hours besides it, and there were 7`,
    );
    expect(at({ ...heartbeat, firstHereAt: minutesAgo(0.4) })).toBe('address: 1');
    expect(at({ ...heartbeat, firstHereAt: minutesAgo(0.5) })).toBe(
      `${SEVERAL}, and the app was started on one of them at this address 30 seconds earlier: this may be that phone again, without an install. A fingerprint of its own for each phone ends this check`,
    );
    expect(at({})).toBe(NO_HEARTBEAT);
    expect(at({ lastHeartbeatAt: minutesAgo(0.5) })).toBe(NO_HEARTBEAT);
  });
});

const HOURS = { windowMinutes: 90, installedWindowMinutes: 90, installedPersonMinutes: 90 };

describe('by address, when the client says how long ago the app was installed', () => {
  const installed = (minutes: number, sighting = aSighting(), rows = [aTap({ tappedAt: minutesAgo(10) })]) =>
    outcome(rows, anAsk({ installedSecondsAgo: minutes * 60 }), sighting);

  it('gives what was tapped before the install, for an hour after it', () => {
    expect(installed(5)).toBe('address: 1');
    const wide = anAsk({ installedSecondsAgo: 59 * 60, matching: matching(HOURS) });
    const tap = aTap({ tappedAt: minutesAgo(80) });
    expect(outcome([tap], wide)).toBe('address: 1');
    expect(outcome([tap], { ...wide, installedSecondsAgo: 60 * 60 })).toBe(
      'the app was installed 1 hour earlier: by address it must be less than 1 hour earlier',
    );
    expect(installed(10 * 365 * 24 * 60)).toBe(INSTALLED);
  });

  it('leaves out what was tapped when the app was there already', () => {
    expect(installed(10)).toBe(INSTALLED);
    const neighbours = aTap({ id: id(2), linkId: id(2), userAgent: CHROME, tappedAt: minutesAgo(2) });
    expect(installed(5, aSighting(), [aTap({ tappedAt: minutesAgo(10) }), neighbours])).toBe('address: 1');
  });

  it('believes it more than that several phones have its fingerprint', () => {
    const android = [aTap({ platform: 'android', tappedAt: minutesAgo(10) })];
    expect(installed(5, shared({ firstHereAt: daysAgo(1), others: 40 }), android)).toBe('address: 1');
  });

  it('still asks for a device, one link, and a tap in time', () => {
    expect(installed(5, aSighting({ device: null }))).toBe(NO_DEVICE);
    const other = aTap({ id: id(2), linkId: id(2), userAgent: CHROME, tappedAt: minutesAgo(9) });
    expect(installed(5, aSighting(), [aTap({ tappedAt: minutesAgo(10) }), other])).toBe(UNCLEAR);
    expect(installed(5, aSighting(), [aTap({ tappedAt: minutesAgo(29), others: 3 })])).toBe(
      'tapped 29 minutes earlier: with 3 people at this address, the tap must be less than 20 minutes old',
    );
  });

  it('looks less far back, and no further than for the others', () => {
    const at = (minutes: number, settings = {}) =>
      outcome(
        [aTap({ tappedAt: minutesAgo(minutes) })],
        anAsk({ installedSecondsAgo: 60, matching: matching(settings) }),
      );
    expect([at(29), at(30)]).toEqual(['address: 1', '']);
    expect([at(9, { windowMinutes: 10 }), at(10, { windowMinutes: 10 }), at(5, { windowMinutes: 0 })]).toEqual([
      'address: 1',
      '',
      '',
    ]);
    expect(at(20, { personMinutes: 20 })).toBe(
      'tapped 20 minutes earlier: with 1 person at this address, the tap must be less than 20 minutes old',
    );
  });
});

describe('by address, while an update may be reaching older users', () => {
  const young = { reason: 'young', until: '2026-11-18T12:00:00.000Z', isFirstDay: false } as const;
  const grown = { reason: 'manyNewDevices', until: null, isFirstDay: false } as const;
  const ask = (tap: Partial<PendingLink>, sighting: Partial<Sighting> = {}, rollout: Sighting['rollout'] = young) =>
    outcome([aTap(tap)], anAsk(), aSighting({ rollout, ...sighting }));
  const refusal =
    'so this may be an older user, and the tap must be less than 5 minutes old, with nobody else there. Send installedSecondsAgo to end this check, or set matching.existingUsers to false if nobody had the app before';

  it('gives a fresh tap, where nobody was but the asker and the browser that tapped', () => {
    expect(ask({ tappedAt: minutesAgo(4.99) })).toBe('address: 1');
    expect(ask({ tappedAt: minutesAgo(5) })).toBe(
      `tapped 5 minutes earlier, with 0 others at this address: the app is new to Landfall, ${refusal}`,
    );
    expect(ask({ others: 1 })).toContain(`with 1 other at this address: the app is new to Landfall, ${refusal}`);
    const inTwoBrowsers = (others: number) => [
      aTap({ others }),
      aTap({ id: id(2), userAgent: CHROME, tappedAt: minutesAgo(2) }),
    ];
    const meanwhile = aSighting({ rollout: young, others: 3 });
    expect(outcome(inTwoBrowsers(1), anAsk(), meanwhile)).toBe('address: 1');
    expect(outcome(inTwoBrowsers(2), anAsk(), meanwhile)).toContain(refusal);
    expect(ask({ others: 1 }, {}, grown)).toContain(`an update may just bring Landfall to its users, ${refusal}`);
    expect(ask({ tappedAt: minutesAgo(20), others: 2 }, {}, null)).toBe('address: 1');
    const firstDay = { ...young, isFirstDay: true };
    expect(ask({ tappedAt: minutesAgo(1.99) }, {}, firstDay)).toBe('address: 1');
    expect(ask({ tappedAt: minutesAgo(2) }, {}, firstDay)).toContain(
      'the tap must be less than 2 minutes old, with nobody else',
    );
  });

  it('believes a client that says how long ago the app was installed', () => {
    const tap = aTap({ tappedAt: minutesAgo(20), others: 2 });
    const among = aSighting({ rollout: young, others: 5 });
    expect(outcome([tap], anAsk({ installedSecondsAgo: 60 }), among)).toBe('address: 1');
    expect(outcome([tap], anAsk({ installedSecondsAgo: 86_400 }), among)).toBe(INSTALLED);
  });

  it('changes nothing for the surer keys', () => {
    const among = aSighting({ rollout: young, others: 5 });
    const old = { address: null, tappedAt: daysAgo(2), others: 9 };
    expect(outcome([aTap(old)], anAsk({ token }), among)).toBe('token: 1');
    expect(outcome([aTap({ ...old, email: EMAIL })], anAsk({ email: EMAIL }), among)).toBe('email: 1');
    expect(outcome([aTap({ ...old, fingerprint: PHONE })], anAsk(), among)).toBe('fingerprint: 1');
  });
});

describe('the heartbeat that has not come', () => {
  const anHourBefore = aSighting({
    device: aDevice({ newSince: daysAgo(9), lastHeartbeatId: id(7), lastHeartbeatAt: minutesAgo(60) }),
  });
  const ask = anAsk({ final: false });
  const onAndroid = aTap({ platform: 'android' });

  it('is awaited where it would show a shared fingerprint, and so give or take something', () => {
    expect(awaitsHeartbeat(ask, [onAndroid], anHourBefore)).toBe(true);
    const stored = [aTap({ fingerprint: PHONE, address: null })];
    expect(awaitsHeartbeat(ask, stored, anHourBefore)).toBe(true);
    expect(awaitsHeartbeat(ask, [onAndroid], shared())).toBe(true);
  });

  it('is not awaited where it decides nothing', () => {
    expect(awaitsHeartbeat(ask, [], anHourBefore)).toBe(false);
    expect(awaitsHeartbeat(ask, [aTap({ address: hashOf('elsewhere') })], anHourBefore)).toBe(false);
    expect(awaitsHeartbeat(ask, [aTap()], aSighting())).toBe(false);
    expect(awaitsHeartbeat(ask, [aTap()], known)).toBe(false);
    expect(awaitsHeartbeat(anAsk({ final: false, token }), [aTap()], anHourBefore)).toBe(false);
  });

  it('is not awaited when it came, or for the last question', () => {
    expect(awaitsHeartbeat(ask, [onAndroid], { ...anHourBefore, lastHeartbeatAt: minutesAgo(0) })).toBe(false);
    expect(awaitsHeartbeat(ask, [onAndroid], { ...anHourBefore, lastHeartbeatAt: minutesAgo(-0.1) })).toBe(true);
    expect(awaitsHeartbeat(anAsk(), [onAndroid], anHourBefore)).toBe(false);
  });

  it('is not awaited by a device without a fingerprint', () => {
    expect(awaitsHeartbeat(anAsk({ final: false, fingerprint: null, address: HOME }), [aTap()], anHourBefore)).toBe(
      false,
    );
  });
});
