// The check of the association files of an app, on request.
// Over Kafka: a check that changes its result is published.
import type { System } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, patch, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

const COMPLETE = {
  ios: { teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  android: { package: 'com.example.shop', certificates: [Array(32).fill('AB').join(':')] },
};
const pathOf = ({ app }: Awaited<ReturnType<System['makeApp']>>) => `/api/manage/apps/${app.id}/checks`;
const stored = async (path: string) => (await system.manage({ path })).json.regular;

describe('the check of the hosts of an app', () => {
  it('is stored with its time, its findings and their fixes', async () => {
    const app = await system.makeApp(COMPLETE);
    const path = pathOf(app);
    expect(await stored(path)).toBeNull();
    const { check } = (await calls.change(post(path, undefined))).json;
    // The names of this test are in no DNS.
    expect(check.failing).toBe(true);
    const files = check.findings.filter(({ check }: { check: string }) => check.endsWith('file'));
    expect(files).toHaveLength(4);
    for (const finding of files)
      expect(finding).toMatchObject({ state: 'failed', fix: expect.stringMatching(/\w/), host: expect.any(String) });
    expect(await stored(path)).toEqual(check);
    // The settings are mended: there is no file, so none fails.
    const none = { ios: { teamId: null }, android: { certificates: [] } };
    await calls.change(patch(`/api/manage/apps/${app.app.id}`, none));
    system.clock.advance({ ms: 1_000 });
    expect((await calls.change(post(path, undefined))).json.check).toMatchObject({ failing: false });
  });

  it('of an unknown app does not exist', async () => {
    const path = '/api/manage/apps/0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11/checks';
    expectError(await system.manage(post(path, undefined)), 404, 'APP_NOT_FOUND');
  });
});
