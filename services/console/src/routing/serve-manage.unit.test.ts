import { serveRoutes } from '@landfall/http';
import express from 'express';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type ManageRoute, manageRoute } from './route.ts';
import { manageKind } from './serve-manage.ts';

const nothing = { reply: z.object({}), errors: [], handle: async () => ({}) } as const;
const good = { method: 'GET', name: 'x', summary: 'X', ...nothing } as const;

it('does not start with a route that does not state its callers', () => {
  const start = (one: unknown) => () =>
    serveRoutes(express(), [one as ManageRoute], manageKind({} as never), {} as never);
  const path = '/api/manage/apps/:appId';
  const needs = { role: 'viewer', of: 'app' } as const;
  expect(start(manageRoute({ ...good, path, needs }))).not.toThrow();
  for (const unsaid of [{}, { needs: undefined }, { needs: [] }, { auth: 'none' }])
    expect(start({ ...good, path, ...unsaid })).toThrow(`GET ${path} does not state its callers: give it \`needs\`.`);
  // Another path that belongs to the management API.
  const send = { ...good, method: 'POST', path: '/api/push/send' } as const;
  expect(start(manageRoute({ ...send, needs }))).toThrow('must name as :appId');
  expect(start(manageRoute({ ...send, needs: { ...needs, in: 'body' } }))).not.toThrow();
  expect(start({ ...send, auth: 'key' })).toThrow('POST /api/push/send does not state its callers');
  expect(start(manageRoute({ ...good, path: '/api/manage/apps/:id', needs }))).toThrow('must name as :appId');
});
