// A misspelt field in a body of the management API or of a push is an error. The error names the correct field, and the
// server changes nothing. The test takes the routes from the OpenAPI document, so it also covers routes that are added
// later.
import { peopleOf, type Received, type Sent } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { callsOf, expectError, fcmToken, patch, post, put, systemOfFile } from '../calls.ts';
import { type Operation, readDocument } from './document.ts';
import type { Json } from './json-schema.ts';

const { system } = await systemOfFile();
const owner = await peopleOf(system).setUp();
const { operations } = await readDocument(system);

const bodyOf = ({ definition }: Operation): Json => definition.requestBody.content['application/json'].schema;
/** This route takes the file exactly as Google issues it. */
const byGoogle = 'setPushProvider';
const isManaged = ({ path }: Operation) => /^\/api\/(manage|push\/send)/.test(path);

/** Sends the request as a person if the route needs a person, and as the operator otherwise. */
const send = ({ definition }: Operation, sent: Sent): Promise<Received> =>
  definition.security.some((one: Json) => 'session' in one) ? owner.send(sent) : system.manage(sent);

describe('every body of the management API', () => {
  it('takes no field that is misspelt', async () => {
    const tried = operations.filter((one) => isManaged(one) && one.definition.requestBody && one.id !== byGoogle);
    expect(tried.length).toBeGreaterThan(20);
    for (const operation of tried) {
      const fields = Object.keys(bodyOf(operation).properties);
      expect(fields.length, operation.id).toBeGreaterThan(0);
      const path = operation.path.replace(/\{\w+\}/g, crypto.randomUUID());
      for (const field of fields) {
        const body = { [`${field}x`]: null };
        const answer = await send(operation, { method: operation.method, path, body });
        expectError(answer, 400, 'INVALID_REQUEST');
        expect(answer.json.error, operation.id).toBe(`${field}x is unknown: did you mean ${field}?`);
        expect(operation.takes(body), operation.id).toBe(false);
      }
    }
  });

  it('says so where something is nested', async () => {
    const app = await system.makeApp();
    const patched = (body: object) => system.manage(patch(`/api/manage/apps/${app.app.id}`, body));
    const answer = await patched({ matching: { windowMinuts: 10 } });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('matching.windowMinuts');
    expect(answer.json.error).toMatch(/did you mean windowMinutes\?$/);
  });

  it('lets Google add to its file, and nobody to the fields for Apple', async () => {
    const app = await system.makeApp();
    const providers = `/api/manage/apps/${app.app.id}/push-providers`;
    const set = (kind: string, body: object) => system.manage(put(`${providers}/${kind}`, body));
    const google = await set('fcm', { type: 'service_account', universe: 'x' });
    expect(google.json.error).toMatch(/^project_id/);
    const apple = await set('apns', { keyID: 'ABCDEFGHIJ', bundelId: 'com.example' });
    expectError(apple, 400, 'INVALID_REQUEST');
    expect(apple.json.error).toBe('keyID is unknown: did you mean keyId?');
    expect(apple.json.details[1]).toEqual({ path: 'bundelId', message: 'is unknown: did you mean bundleId?' });
  });
});

describe('a push', () => {
  it('that would go to everybody at once because of a misspelt field goes to nobody', async () => {
    const app = await system.makeApp();
    await callsOf(system).register(app, { deviceToken: fcmToken(), platform: 'android' });
    await system.settled();
    const push = { appId: app.app.id, title: 'Sale', body: 'Today', target: { all: true } };
    const misspelt: [object, string][] = [
      [{ scheduledAt: '2026-12-24T18:00:00Z' }, 'scheduledAt is unknown: did you mean scheduleAt?'],
      [{ dryrun: true }, 'dryrun is unknown: did you mean dryRun?'],
      [{ schedule_at: '2026-12-24T18:00:00Z' }, 'schedule_at is unknown: did you mean scheduleAt?'],
      [{ target: { all: true, platfrom: 'ios' } }, 'target.platfrom is unknown: did you mean platform?'],
    ];
    for (const [field, sentence] of misspelt) {
      const answer = await system.manage(post('/api/push/send', { ...push, ...field }));
      expectError(answer, 400, 'INVALID_REQUEST');
      expect(answer.json.error).toBe(sentence);
    }
    const list = await system.manage({ path: `/api/manage/apps/${app.app.id}/notifications` });
    expect(list.json.notifications).toEqual([]);
  });
});

it('what an SDK sends besides is tolerated', async () => {
  const app = await system.makeApp();
  expect((await callsOf(system).create(app, { destination: '/a', destinaton: '/b' })).status).toBe(200);
});
