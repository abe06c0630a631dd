// The comparison of other settings of matching with what an app gave.
import { freshIp, IPHONE, type TestApp } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, linksOf, newDevice, patch, post, systemOfFile } from '../calls.ts';

let app: TestApp;
const { system, calls } = await systemOfFile();
beforeEach(async () => {
  app = await system.makeApp();
});

const pathOf = ({ app: { id } }: TestApp) => `/api/manage/apps/${id}/matching/what-if`;
const whatIf = async (matching: object, days?: number) =>
  (await system.manage(post(pathOf(app), { matching, ...(days && { days }) }))).json;

/** Makes a restore this many minutes after a tap at its address. Returns the links that it got. */
async function restoredAfter(minutes: number, link = system.makeLink(app)): Promise<string[]> {
  const [ip, { url }] = [freshIp(), await link];
  await calls.tap(url, { ip, userAgent: IPHONE });
  system.clock.advance({ minutes });
  return linksOf(await calls.restore(app, newDevice().body, { ip }));
}

describe('what if', () => {
  it('counts the links that other settings would have given, and those they would not have given', async () => {
    expect(await restoredAfter(70)).toEqual([]);
    const link = system.makeLink(app);
    expect(await restoredAfter(20, link)).toEqual([(await link).id]);
    expect(await restoredAfter(10)).toHaveLength(1);

    const longer = await whatIf({ windowMinutes: 90 });
    expect(longer.given).toEqual({ before: 2, after: 3, newly: 1, noLonger: 0, otherLink: 0 });
    expect(longer.examples).toMatchObject([
      {
        before: { matchType: null, linkIds: [] },
        after: { matchType: 'address', reason: '1 link by address: tapped 1 hour earlier' },
      },
    ]);
    const shorter = await whatIf({ windowMinutes: 15 });
    expect(shorter.given).toEqual({ before: 2, after: 1, newly: 0, noLonger: 1, otherLink: 0 });
    // It says which limit decided.
    const tooOld = 'nothing: tapped 20 minutes earlier: the tap must be less than 15 minutes old';
    expect(shorter.examples).toMatchObject([{ after: { matchType: null, reason: tooOld } }]);
    const exact = await whatIf({ evidence: 'exact' });
    expect(exact.given).toMatchObject({ before: 2, after: 0, noLonger: 2 });
    expect((await whatIf({})).given).toMatchObject({ before: 2, after: 2, newly: 0, noLonger: 0 });
  });

  it('gives a link once: what other settings give earlier is gone later', async () => {
    const [ip, { id, url }] = [freshIp(), await system.makeLink(app)];
    await calls.tap(url, { ip, userAgent: IPHONE });
    const restore = async () => linksOf(await calls.restore(app, newDevice().body, { ip }));
    system.clock.advance({ minutes: 20 });
    const allow = (windowMinutes: number) =>
      calls.change(patch(`/api/manage/apps/${app.app.id}`, { matching: { windowMinutes } }));
    await allow(10);
    expect(await restore()).toEqual([]);
    await allow(60);
    system.clock.advance({ minutes: 1 });
    expect(await restore()).toEqual([id]);
    expect((await whatIf({})).given).toEqual({ before: 1, after: 1, newly: 1, noLonger: 1, otherLink: 0 });
  });

  it('says what was right and wrong where a token tells the link', async () => {
    app = await system.makeApp({ android: { package: 'com.example.app' } });
    const { url } = await system.makeLink(app);
    const ip = freshIp();
    const { headers } = await calls.tap(url, { ip });
    const referrer = new URL(`${headers.location}`).searchParams.get('referrer');
    const body = { ...newDevice().body, installReferrer: referrer };
    system.clock.advance({ minutes: 12 });
    expect(linksOf(await calls.restore(app, body, { ip }))).toHaveLength(1);
    const { truth } = await whatIf({ windowMinutes: 10 });
    expect(truth).toEqual({
      known: 1,
      current: { right: 1, wrong: 0, missed: 0 },
      changed: { right: 0, wrong: 0, missed: 1 },
    });
  });

  it('changes nothing, and looks at the last days alone', async () => {
    expect(await restoredAfter(20)).toHaveLength(1);
    await whatIf({ windowMinutes: 1 });
    expect(await restoredAfter(20)).toHaveLength(1);
    system.clock.advance({ days: 3 });
    expect((await whatIf({}, 2)).decisions.total).toBe(0);
    expect((await whatIf({}, 4)).decisions.total).toBe(2);
  });

  it.each([
    [{ matching: { windowMinutes: 121 } }, 'matching.windowMinutes'],
    [{ matching: { windowMinutes: 'long' } }, 'matching.windowMinutes'],
    [{ matching: { tokenDays: 3 } }, 'matching.tokenDays'],
    [{ matching: {}, days: 31 }, 'days'],
    [{}, 'matching'],
  ])('refuses %j and names the field', async (body, field) => {
    const answer = await system.manage(post(pathOf(app), body));
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(JSON.stringify(answer.json)).toContain(field);
  });
});
