import { handlersOf } from '@landfall/http';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type ManageRoute, manageRoute } from './route.ts';
import { manageKind } from './serve-manage.ts';

const nothing = { reply: z.object({}), errors: [], handle: async () => ({}) } as const;
const good = { name: 'x', summary: 'X', ...nothing } as const;

it('does not start with a route that does not state its callers', () => {
  const start = (one: unknown) => () => handlersOf([one as ManageRoute], manageKind({} as never), {} as never);
  const path = '/api/manage/apps/:appId';
  const needs = { role: 'viewer', of: 'app' } as const;
  expect(start(manageRoute(`GET ${path}`, { ...good, needs }))).not.toThrow();
  for (const unsaid of [{}, { needs: undefined }, { needs: [] }, { auth: 'none' }])
    expect(start({ method: 'GET', path, ...good, ...unsaid })).toThrow(
      `GET ${path} does not state its callers: give it \`needs\`.`,
    );
  // Another path that belongs to the management API.
  const send = '/api/push/send';
  expect(start(manageRoute(`POST ${send}`, { ...good, needs }))).toThrow('must name as :appId');
  expect(start(manageRoute(`POST ${send}`, { ...good, needs: { ...needs, in: 'body' } }))).not.toThrow();
  const ofSdk = { method: 'POST', path: send, ...good, auth: 'key' };
  expect(start(ofSdk)).toThrow('POST /api/push/send does not state its callers');
  expect(start(manageRoute('GET /api/manage/apps/:id', { ...good, needs }))).toThrow('must name as :appId');
});
