import type { Role, Scope } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { describe, expect, it } from 'vitest';
import type { Lookups } from '../lookups/lookups.ts';
import { routes } from '../routes/index.ts';
import { isManage } from '../routing/route.ts';
import { assertSameSite, authorise } from './authorise.ts';
import type { Caller, Guest } from './caller.ts';
import type { Needs } from './needs.ts';

const team = 'team-1';
const other = 'team-2';
/** Apps are named after their team. Links and notifications are named after their app. */
const lookups = {
  team: async (id: string) => (id.startsWith('team') ? { id } : null),
  app: async (id: string) =>
    id === 'nobodys' ? { id, teamId: null } : id.startsWith('team') ? { id, teamId: id } : null,
  link: async (id: string) => (id.startsWith('team') ? { id, appId: id } : null),
  notification: async (id: string) => (id.startsWith('team') ? { appId: id } : null),
} as unknown as Lookups;

const person = (roles: Record<string, Role>, instanceOwner = false, closed: string[] = []): Caller => ({
  kind: 'session',
  sessionId: 's',
  userId: 'u',
  instanceOwner,
  roles: new Map(Object.entries(roles)),
  closed: new Set(closed),
  isStrong: false,
  signedInAt: new Date(),
});
const token = (role: Role, scope: Scope, teamId = team): Caller => ({
  kind: 'token',
  tokenId: 't',
  userId: 'u',
  teamId,
  role,
  scope,
});
const operator: Caller = { kind: 'operator', tokenId: 't' };

/** Returns the result of a request: 200, or the status and code of the refusal. */
async function tried(
  needs: Needs,
  caller: Caller | Guest | null,
  params: object = {},
  body: object = {},
): Promise<string> {
  try {
    await authorise(needs, caller, { params, body }, lookups);
    return 'ok';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const thing = { appId: team, teamId: team, linkId: team, notificationId: team };
/** Its question is too long for an address. */
const READS_BY_POST = 'countAudience';

describe('a visitor of the demo', () => {
  const visitor: Caller = { kind: 'visitor', teamId: team };
  it('sees the team, and nothing of another one', async () => {
    expect(await tried({ role: 'viewer', of: 'app' }, visitor, { appId: team })).toBe('ok');
    expect(await tried({ role: 'viewer', of: 'app' }, visitor, { appId: other })).toBe('APP_NOT_FOUND');
    expect(await tried({ role: 'viewer', of: 'team', except: 'visitors' }, visitor, { teamId: team })).toBe(
      'FORBIDDEN',
    );
    for (const need of ['person', 'operator', 'instance-owner'] as const)
      expect(await tried(need, visitor)).toBe('FORBIDDEN');
  });

  it('changes nothing: every route that does refuses it', async () => {
    const changes = routes
      .filter(isManage)
      .filter(
        ({ method, needs, name }) =>
          method !== 'GET' && needs !== 'anyone' && needs !== 'guest' && name !== READS_BY_POST,
      );
    expect(changes.length).toBeGreaterThan(30);
    for (const { name, needs } of changes)
      expect([name, await tried(needs, visitor, thing, thing)]).toEqual([name, 'FORBIDDEN']);
  });
});

describe('a viewer of a share', () => {
  const guest = { kind: 'guest', share: {}, pass: null } as unknown as Guest;
  it('has the routes of shares, and nobody else has them', async () => {
    expect(await tried('guest', guest)).toBe('ok');
    for (const caller of [
      null,
      person({}, true),
      token('owner', 'write'),
      operator,
      { kind: 'visitor', teamId: team },
    ] as const)
      expect(await tried('guest', caller)).toBe('SHARE_NOT_FOUND');
  });

  it('never comes to another route', async () => {
    for (const { needs } of routes.filter(isManage).filter(({ needs }) => needs !== 'guest'))
      await expect(authorise(needs, guest, { params: thing, body: thing }, lookups)).rejects.toThrow('no route knows');
  });
});

describe('a role', () => {
  const roles = ['viewer', 'member', 'admin', 'owner'] as const;
  it.each(['app', 'team', 'link', 'notification'] as const)(
    'of the %s suffices from the needed role upwards',
    async (of) => {
      for (const [needed, role] of roles.entries())
        for (const [has, own] of roles.entries())
          expect(await tried({ role, of }, person({ [team]: own }), { [`${of}Id`]: team })).toBe(
            has >= needed ? 'ok' : 'FORBIDDEN',
          );
    },
  );

  it.each(['app', 'team', 'link', 'notification'] as const)(
    'in no or another team hides a %s like a missing one',
    async (of) => {
      const code = `${of.toUpperCase()}_NOT_FOUND`;
      for (const caller of [person({}), person({ [other]: 'owner' }), token('owner', 'write', other)])
        for (const id of [team, 'nothing'])
          for (const role of [...roles, 'instance-owner'] as const)
            expect(await tried({ role, of }, caller, { [`${of}Id`]: id })).toBe(code);
      for (const caller of [operator, person({}, true)])
        expect(await tried({ role: 'viewer', of }, caller, { [`${of}Id`]: 'nothing' })).toBe(code);
    },
  );

  it('of a token is at most its scope and the role of its person', async () => {
    const may = (caller: Caller, role: Role) => tried({ role, of: 'app' }, caller, { appId: team });
    expect(await may(token('owner', 'read'), 'viewer')).toBe('ok');
    expect(await may(token('owner', 'read'), 'member')).toBe('FORBIDDEN');
    expect(await may(token('owner', 'write'), 'admin')).toBe('ok');
    expect(await may(token('owner', 'write'), 'owner')).toBe('FORBIDDEN');
    expect(await may(token('viewer', 'write'), 'member')).toBe('FORBIDDEN');
    const alone = { role: 'admin', of: 'app', except: 'tokens' } as const;
    expect(await tried(alone, token('owner', 'write'), { appId: team })).toBe('FORBIDDEN');
    expect(await tried(alone, operator, { appId: team })).toBe('ok');
  });

  it('of an owner of the installation is viewer of every team, and owner of things without a team', async () => {
    const owner = person({}, true);
    expect(await tried({ role: 'viewer', of: 'app' }, owner, { appId: team })).toBe('ok');
    expect(await tried({ role: 'member', of: 'app' }, owner, { appId: team })).toBe('FORBIDDEN');
    expect(await tried({ role: 'instance-owner', of: 'app' }, owner, { appId: team })).toBe('ok');
    expect(await tried({ role: 'instance-owner', of: 'app' }, person({ [team]: 'owner' }), { appId: team })).toBe(
      'FORBIDDEN',
    );
    expect(await tried({ role: 'owner', of: 'app' }, owner, { appId: 'nobodys' })).toBe('ok');
    expect(await tried({ role: 'viewer', of: 'app' }, person({ [team]: 'owner' }), { appId: 'nobodys' })).toBe(
      'APP_NOT_FOUND',
    );
  });

  it('of a token that only reads lets it change nothing: every route that does refuses it', async () => {
    const changes = routes
      .filter(isManage)
      .filter(
        ({ method, needs, name }) =>
          method !== 'GET' && needs !== 'anyone' && needs !== 'guest' && name !== READS_BY_POST,
      );
    for (const { name, needs } of changes)
      expect([name, await tried(needs, token('owner', 'read'), thing, thing)]).toEqual([name, 'FORBIDDEN']);
  });

  it('in the team that a body names; only the operator may omit it', async () => {
    const needs = { role: 'admin', of: 'team', in: 'body' } as const;
    expect(await tried(needs, person({ [team]: 'admin' }), {}, { teamId: team })).toBe('ok');
    expect(await tried(needs, person({ [team]: 'admin' }), { teamId: team }, { teamId: other })).toBe('TEAM_NOT_FOUND');
    expect(await tried(needs, person({ [team]: 'admin' }))).toBe('INVALID_REQUEST');
    expect(await tried(needs, operator)).toBe('ok');
  });
});

describe('a route that names nothing', () => {
  const callers = {
    nobody: null,
    person: person({}),
    owner: person({}, true),
    token: token('owner', 'write'),
    operator,
  };
  it.each([
    ['anyone', ['nobody', 'person', 'owner', 'token', 'operator']],
    ['signed-in', ['person', 'owner', 'token', 'operator']],
    ['person', ['person', 'owner']],
    ['instance-owner', ['owner', 'operator']],
  ] as const)('serves the stated callers: %s', async (needs, served: readonly string[]) => {
    for (const [name, caller] of Object.entries(callers)) {
      const refused = caller ? 'FORBIDDEN' : 'NOT_SIGNED_IN';
      expect(await tried(needs, caller), name).toBe(served.includes(name) ? 'ok' : refused);
    }
  });

  it('needs all of a list', async () => {
    const needs = ['person', { role: 'viewer', of: 'team', in: 'body' }] as const;
    expect(await tried(needs, person({ [team]: 'viewer' }), {}, { teamId: team })).toBe('ok');
    expect(await tried(needs, person({}), {}, { teamId: team })).toBe('TEAM_NOT_FOUND');
    expect(await tried(needs, token('owner', 'write'), {}, { teamId: team })).toBe('FORBIDDEN');
    expect(await tried(needs, null, {}, { teamId: team })).toBe('NOT_SIGNED_IN');
  });
});

describe('another site', () => {
  const origin = 'https://api.example';
  const sent =
    (headers: Record<string, string>, method = 'POST') =>
    () =>
      assertSameSite(method, headers, origin);

  it('is none of our own pages', () => {
    expect(sent({ 'x-landfall': '1' })).not.toThrow();
    expect(sent({ 'x-landfall': '1', origin })).not.toThrow();
    expect(sent({}, 'GET')).not.toThrow();
    expect(sent({ origin: 'https://evil.example' }, 'GET')).not.toThrow();
  });

  it('sends nothing that changes something', () => {
    for (const headers of [
      {},
      { origin },
      { 'x-landfall': '0' },
      ...['https://evil.example', 'null', '', 'http://api.example', `${origin}:8443`, `${origin}.evil.example`].map(
        (origin) => ({ 'x-landfall': '1', origin }),
      ),
      { 'x-landfall': '1', origin: 'https://evil.example', authorization: 'Basic eDp5' },
    ] as Record<string, string>[])
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
        expect(sent(headers, method), JSON.stringify(headers)).toThrow('another site');
  });

  it('sends no bearer token, which no browser adds by itself', () => {
    expect(sent({ authorization: 'Bearer x' })).not.toThrow();
  });
});
