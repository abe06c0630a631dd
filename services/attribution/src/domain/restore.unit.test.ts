import { describe, expect, it } from 'vitest';
import {
  APP,
  aDevice,
  anAsk,
  aSighting,
  aTap,
  CHROME,
  HOME,
  hashOf,
  id,
  minutesAgo,
  NOON,
  SAFARI,
} from '../values.testing.ts';
import type { PendingLink } from './candidate.ts';
import type { Restore } from './past.ts';
import { createPool } from './pool.ts';
import { claimantOf, type RestoreRequest, restoreInOrder } from './restore.ts';

const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);
const asked = (ask: Partial<RestoreRequest> = {}): RestoreRequest => ({
  ...anAsk(),
  claimant: 'phone at home',
  sighting: aSighting(),
  expired: () => false,
  ...ask,
});
const linksOf = (restores: readonly Restore[]) =>
  Object.fromEntries(restores.map((one) => [one.id, one.reply.matches.map((match) => match.linkId)]));
const run = (asks: RestoreRequest[], rows: PendingLink[], earlier: Restore[] = []) =>
  restoreInOrder(asks, createPool(rows), earlier);

describe('a batch of restores', () => {
  it('gives a tap to the first who asks', () => {
    const asks = [asked({ id: id(1), claimant: 'one' }), asked({ id: id(2), claimant: 'two' })];
    const { restores, closings } = run(asks, [aTap()]);
    expect(linksOf(restores)).toEqual({ [id(1)]: [id(1)] });
    expect(closings).toEqual([{ id: id(0x100), by: id(1), at: NOON, takesOver: false }]);
  });

  it('closes with it the open taps on the same link from the same address and user agent', () => {
    const rows = [
      aTap({ id: id(0x100) }),
      aTap({ id: id(0x101), tappedAt: minutesAgo(2) }),
      aTap({ id: id(0x102), tappedAt: minutesAgo(2), userAgent: CHROME }),
      aTap({ id: id(0x103), tappedAt: minutesAgo(2), linkId: id(2), userAgent: SAFARI }),
      aTap({ id: id(0x104), tappedAt: minutesAgo(2), address: hashOf('elsewhere') }),
      aTap({ id: id(0x105), tappedAt: minutesAgo(2), email: hashOf('kim') }),
      aTap({ id: id(0x106), tappedAt: minutesAgo(2), appId: id(0xb) }),
    ];
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: NOON.toISOString() };
    const { closings } = run([asked({ token })], rows);
    expect(closings.map((closing) => closing.id)).toEqual([id(0x100), id(0x101)]);
  });

  describe('with a token', () => {
    const tokenOf = (n: number) => ({ tapId: id(n), linkId: id(1), tappedAt: minutesAgo(2).toISOString() });
    const nobody = aSighting({ device: null });
    const byToken = (n: number, ask: Partial<RestoreRequest> = {}) =>
      asked({ id: id(n), claimant: `token ${n}`, token: tokenOf(n), fingerprint: null, sighting: nobody, ...ask });
    const taps = () => [aTap({ id: id(0x100) }), aTap({ id: id(0x101), tappedAt: minutesAgo(2) })];

    it('gives each of two taps by one browser to whoever has its token', () => {
      const { restores, closings } = run([byToken(0x100), byToken(0x101)], taps());
      expect(linksOf(restores)).toEqual({ [id(0x100)]: [id(1)], [id(0x101)]: [id(1)] });
      expect(closings).toEqual([
        { id: id(0x100), by: id(0x100), at: NOON, takesOver: true },
        { id: id(0x101), by: id(0x101), at: NOON, takesOver: true },
      ]);
    });

    it('is good once, also long after, until its restore is released', () => {
      const rows = taps();
      const { restores } = run([byToken(0x100)], rows);
      const ask = byToken(0x100, { id: id(2), now: after(60) });
      const again = run([ask], rows, restores).restores[0]!;
      expect(again).toMatchObject({ matchType: null, summary: 'nothing: this token was used before' });
      const released = restores.map((one) => ({ ...one, releasedAt: after(30) }));
      expect(run([ask], taps(), released).restores[0]).toMatchObject({ matchType: 'token' });
    });

    it('takes its tap from whoever had it by address, but gives no device its own link again', () => {
      const first = run([asked()], taps());
      const closed = taps().map((tap) => ({ ...tap, closedBy: id(1), closedAt: NOON }));
      const stranger = run([byToken(0x100, { now: after(60) })], closed, first.restores);
      expect(stranger.restores[0]).toMatchObject({ matchType: 'token' });
      expect(stranger.closings).toEqual([{ id: id(0x100), by: id(0x100), at: after(60), takesOver: true }]);
      for (const n of [0x100, 0x101]) {
        const same = byToken(n, { now: after(60), sighting: aSighting() });
        const { restores } = run([same], closed, first.restores);
        expect(restores[0]!.summary).toBe('nothing: this device was given this link 1 minute earlier');
        const shared = { ...same, sighting: aSighting({ device: aDevice({ sharedAt: minutesAgo(60) }) }) };
        expect(run([shared], closed, first.restores).restores[0]).toMatchObject({ matchType: 'token' });
      }
    });
  });

  describe('after a device was given a link', () => {
    const rows = () => [aTap({ id: id(0x100), userAgent: CHROME }), aTap({ id: id(0x101), tappedAt: minutesAgo(2) })];
    const second = (ask: Partial<RestoreRequest> = {}) => asked({ id: id(2), now: after(16), ...ask });

    it('gives it no earlier tap on that link, and a later one', () => {
      const [tapped] = rows();
      const { restores } = run([asked(), second()], rows());
      expect(linksOf(restores)).toEqual({ [id(1)]: [id(1)], [id(2)]: [] });
      expect(restores[1]!.summary).toBe('nothing: this device was given this link 16 seconds earlier');
      const later = aTap({ ...tapped, id: id(0x102), tappedAt: after(8) });
      const again = (ask: Partial<RestoreRequest>) =>
        run([second(ask)], [...rows().slice(1), later], restores.slice(0, 1)).restores[0]!.summary;
      expect(again({})).toMatch(/^1 link by address/);
    });

    it('gives the earlier tap to another device, and the device another link', () => {
      const { restores } = run([asked()], rows());
      const other = aSighting({ device: aDevice({ device: hashOf('other') }) });
      const left = rows().slice(1);
      expect(linksOf(run([second({ sighting: other })], left, restores).restores)).toEqual({ [id(2)]: [id(1)] });
      expect(linksOf(run([second()], [aTap({ id: id(0x102), linkId: id(2) })], restores).restores)).toEqual({
        [id(2)]: [id(2)],
      });
    });

    it('counts what it was given before among the links at the address', () => {
      const { restores } = run([asked()], rows());
      const left = [...rows().slice(1), aTap({ id: id(0x102), linkId: id(2), userAgent: CHROME })];
      expect(linksOf(run([second()], left, restores).restores)).toEqual({ [id(2)]: [] });
    });

    it('forgets what was released', () => {
      const { restores } = run([asked()], rows());
      const released = restores.map((one) => ({ ...one, releasedAt: after(1) }));
      expect(linksOf(run([second()], rows().slice(1), released).restores)).toEqual({ [id(2)]: [id(1)] });
    });

    it('knows phones of one model by their address', () => {
      const shared = aSighting({ device: aDevice({ sharedAt: minutesAgo(60) }), lastHeartbeatAt: NOON });
      const taps = rows().map((row) => aTap({ ...row, platform: 'android' }));
      const { restores } = run([asked({ sighting: shared, claimant: null })], taps);
      expect(linksOf(restores)).toEqual({ [id(1)]: [id(1)] });
      const next = (ask: Partial<RestoreRequest> = {}) => second({ sighting: shared, claimant: null, ...ask });
      expect(linksOf(run([next()], taps.slice(1), restores).restores)).toEqual({ [id(2)]: [] });
      const elsewhere = { address: hashOf('elsewhere') };
      const there = taps.map((row) => aTap({ ...row, ...elsewhere }));
      expect(linksOf(run([next(elsewhere)], there.slice(1), restores).restores)).toEqual({ [id(2)]: [id(1)] });
    });
  });

  it('gives the same answer to the same claimant for 15 seconds', () => {
    const first = run([asked()], [aTap()]).restores;
    const again = (seconds: number, ask: Partial<RestoreRequest> = {}) =>
      run([asked({ id: id(2), now: after(seconds), ...ask })], [], first).restores;
    expect(again(14.999)).toEqual([
      { ...first[0], id: id(2), at: after(14.999), repeats: id(1), considered: [], summary: expect.any(String) },
    ]);
    expect(again(14.999)[0]!.summary).toBe(
      'the same as 14 seconds earlier: 1 link by address: tapped 1 minute earlier',
    );
    expect(again(15)).toEqual([]);
    expect(again(-1)).toEqual([]);
    expect(again(1, { claimant: 'somebody else' })).toEqual([]);
    expect(again(1, { claimant: null })).toEqual([]);
    expect(again(1, { appId: id(0xb) })).toEqual([]);
  });

  it('gives the answer to a token or an email again only to the fingerprint that got it, where both name one', () => {
    const email = hashOf('kim@example.com');
    const phone = (device: string | null) =>
      aSighting({ device: device === null ? null : aDevice({ device: device === 'email' ? email : hashOf(device) }) });
    const repeats = (first: string | null, second: string | null) => {
      const { restores } = run([asked({ sighting: phone(first), email })], [aTap({ email })]);
      const ask = asked({ id: id(2), now: after(5), sighting: phone(second), email });
      return run([ask], [], restores).restores.length === 1;
    };
    expect([
      repeats('one', 'one'),
      repeats('one', 'email'),
      repeats('email', 'one'),
      repeats('email', 'email'),
    ]).toEqual([true, true, true, true]);
    expect(repeats('one', 'other')).toBe(false);
  });

  it('gives the same answer to the same claimant in one batch', () => {
    const asks = [asked(), asked({ id: id(2), now: after(14) }), asked({ id: id(3), now: after(15) })];
    const { restores, closings } = run(asks, [aTap()]);
    expect(linksOf(restores)).toEqual({ [id(1)]: [id(1)], [id(2)]: [id(1)] });
    expect(closings).toHaveLength(1);
  });

  it('counts the 15 seconds from the first answer', () => {
    const first = run([asked()], [aTap()]).restores;
    const second = run([asked({ id: id(2), now: after(10) })], [], first).restores;
    expect(run([asked({ id: id(3), now: after(20) })], [], [...first, ...second]).restores).toEqual([]);
  });

  it('gives no answer again that was released or that held nothing', () => {
    const first = run([asked()], [aTap()]).restores[0]!;
    const empty = run([asked({ sighting: aSighting({ device: null }) })], [aTap()]).restores[0]!;
    const ask = asked({ id: id(2), now: after(1) });
    expect(run([ask], [], [{ ...first, releasedAt: NOON }]).restores).toEqual([]);
    expect(run([ask], [], [empty]).restores).toEqual([]);
  });

  it('decides nothing a second time', () => {
    const first = run([asked()], [aTap()]).restores;
    expect(run([asked()], [aTap()], first)).toEqual({ restores: [], closings: [], awaiting: new Set() });
  });

  it('gives nothing to those who have gone, and the tap to the next', () => {
    const asks = [asked({ id: id(1), claimant: 'one', expired: () => true }), asked({ id: id(2), claimant: 'two' })];
    const { restores } = run(asks, [aTap()]);
    expect(linksOf(restores)).toEqual({ [id(1)]: [], [id(2)]: [id(1)] });
    expect(restores[0]).toMatchObject({ matchType: null, summary: 'nothing: nobody waited for the answer any more' });
  });

  it('leaves no row without a candidate', () => {
    expect(run([asked()], []).restores).toEqual([]);
  });

  it('lets those wait whom a heartbeat may help, and gives the tap to nobody else for it', () => {
    const shared = aSighting({ device: aDevice({ sharedAt: minutesAgo(60) }) });
    const { restores, closings, awaiting } = run(
      [asked({ final: false, sighting: shared })],
      [aTap({ platform: 'android' })],
    );
    expect({ restores, closings, awaiting }).toEqual({ restores: [], closings: [], awaiting: new Set([id(1)]) });
  });
});

describe('the claimant', () => {
  const PHONE = hashOf('phone');
  const token = { tapId: id(7), linkId: id(1), tappedAt: NOON.toISOString() };

  it('is the app’s token, else the email, else the fingerprint at its address', () => {
    expect(claimantOf(anAsk({ token, email: hashOf('kim') }), aDevice())).toBe(`${APP} token ${id(7)}`);
    expect(claimantOf(anAsk({ email: hashOf('kim') }), aDevice())).toBe(`${APP} email ${hashOf('kim')}`);
    expect(claimantOf(anAsk(), aDevice())).toBe(`${APP} device ${PHONE} ${HOME}`);
  });

  it('is nobody without an address, and nobody where several phones have the fingerprint', () => {
    expect(claimantOf(anAsk({ address: null }), aDevice())).toBeNull();
    expect(claimantOf(anAsk({ fingerprint: null }), null)).toBeNull();
    expect(claimantOf(anAsk(), aDevice({ sharedAt: minutesAgo(60) }))).toBeNull();
  });
});
