// The operator's commands against the product, through its management API.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from '@landfall/cli/commands';
import { connect } from '@landfall/db';
import { peopleOf, startDnsServer } from '@landfall/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemOfFile } from '../calls.ts';

const dns = await startDnsServer({});
afterAll(() => dns.stop());
const { system } = await systemOfFile({ DNS_SERVERS: dns.address });
const people = peopleOf(system);
const first = await people.setUp();

interface Said {
  out: string;
  err: string;
}

async function landfall(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const own = {
    LANDFALL_DATA: '/nowhere',
    LANDFALL_URL: `http://127.0.0.1:${system.port}`,
    LANDFALL_TOKEN: system.ownerToken,
  };
  const code = await runCommand(
    args,
    { ...own, ...env },
    (text) => out.push(text),
    (text) => err.push(text),
  );
  expect(code).toBe(0);
  await system.settled();
  return { out: out.join('\n'), err: err.join('\n') };
}
const say = (args: string, env?: NodeJS.ProcessEnv) => landfall(args.split(' '), env);
const json = async (args: string) => JSON.parse((await say(`${args} --json`)).out);
const uses = async (key: string): Promise<number> => {
  const body = { destination: '/a' };
  const headers = { 'x-service-sdk-key': key };
  return (await system.send({ method: 'POST', path: '/api/links/create-sdk', headers, body })).status;
};
let count = 0;
async function anApp(): Promise<{ id: string; subdomain: string }> {
  return (await json(`apps create Shop --subdomain shop${count++}`)).app;
}

describe('apps', () => {
  it('of a person with a token belong to the team of the token', async () => {
    const { token } = await people.makeToken(first, first.teamId, 'write');
    const { out } = await say('apps create Own --subdomain own --json', { LANDFALL_TOKEN: token });
    expect(JSON.parse(out).app.teamId).toBe(first.teamId);
  });

  it('are made, listed, shown by subdomain or id, archived and brought back', async () => {
    const made = await landfall(['apps', 'create', 'The shop', '--subdomain', 'the-shop']);
    expect(made.out).toMatch(/^name +The shop$/m);
    const id = /^id +(\S+)$/m.exec(made.out)![1]!;
    expect(made.out).toContain(first.teamId);
    for (const named of [id, 'the-shop']) expect((await say(`apps show ${named}`)).out).toContain(id);
    expect((await say('apps show the-shop')).out).toMatch(/^open host +open-the-shop\./m);
    expect((await say('apps list')).out).toMatch(new RegExp(`^ID .*ARCHIVED\n(.*\n)*${id} +the-shop +The shop`));
    expect((await say('apps archive the-shop')).out).toMatch(/^archived +20/m);
    expect((await say('apps list')).out).not.toContain(id);
    for (const which of ['--archived', '--all']) expect((await say(`apps list ${which}`)).out).toContain(id);
    expect((await say('apps publish the-shop ref,table')).out).toMatch(/^published parameters +ref, table$/m);
    expect((await say('apps label the-shop inviter,campaign')).out).toMatch(/^labels +inviter, campaign$/m);
    expect((await say('apps time-zone the-shop Asia/Kathmandu')).out).toMatch(/^time zone +Asia\/Kathmandu$/m);
    expect((await json('apps show the-shop')).app).toMatchObject({
      labels: ['inviter', 'campaign'],
      timeZone: 'Asia/Kathmandu',
      publishedParameters: ['ref', 'table'],
    });
    expect((await say('apps unarchive the-shop')).out).toMatch(/^archived +-$/m);
    expect((await json('apps list')).apps).toContainEqual(expect.objectContaining({ id, archivedAt: null }));
  });

  it('are listed however many there are', async () => {
    const before = (await json('apps list')).apps.length;
    const { app } = await system.makeApp();
    const database = connect({ url: system.databaseUrl, max: 1 });
    onTestFinished(() => database.close());
    // A page of the API has at most 100.
    await database.rows(
      `insert into account.apps
       select copy.* from account.apps a, generate_series($2::int, 101) n, jsonb_populate_record(
         a, jsonb_build_object('id', gen_random_uuid(), 'subdomain', 'one-of-many-' || n)) copy
       where a.id = $1::uuid`,
      [app.id, before + 2],
    );
    expect((await json('apps list')).apps).toHaveLength(101);
  });

  it('are refused in a sentence', async () => {
    const { subdomain } = await anApp();
    await expect(say(`apps create Shop --subdomain ${subdomain}`)).rejects.toThrow(
      'Another app has or had this subdomain.',
    );
    await expect(say('apps show nobody')).rejects.toThrow('There is no app with the subdomain nobody: apps list --all');
    await expect(say(`apps show ${crypto.randomUUID()}`)).rejects.toThrow('There is no such app');
  });
});

describe('keys', () => {
  it('are alone on standard output when they are made, work, and are rotated and revoked', async () => {
    const { subdomain } = await anApp();
    const { out: key, err } = await say(`keys create --app ${subdomain} --label backend --server`);
    expect(key).toMatch(/^ol_[0-9a-f]{32}$/);
    expect(err).toMatch(/^The server key \S+\. It is shown this once, and kept nowhere\.$/);
    expect(await uses(key)).toBe(200);
    const { keys } = await json(`keys list --app ${subdomain}`);
    expect(keys).toMatchObject([{ kind: 'server', label: 'backend', revokedAt: null }]);
    const rotated = await say(`keys rotate ${keys[0].id} --app ${subdomain} --overlap 12h`);
    expect(await uses(rotated.out)).toBe(200);
    const until = /works until (\S+)\.$/.exec(rotated.err)![1]!;
    expect(Date.parse(until) - system.clock()).toBeGreaterThan(11.9 * 3_600_000);
    expect(Date.parse(until) - system.clock()).toBeLessThanOrEqual(12 * 3_600_000);
    expect((await say(`keys revoke ${keys[0].id} --app ${subdomain}`)).out).toMatch(/^\S+ is revoked\./);
    expect(await uses(key)).toBe(401);
    const listed = (await say(`keys list --app ${subdomain}`)).out;
    expect(listed).toMatch(/revoked 20.*\n.*server +backend .* live /);
    expect(listed).not.toMatch(/ol_[0-9a-f]{32}/);
    await expect(say(`keys rotate ${keys[0].id} --app ${subdomain} --overlap soon`)).rejects.toThrow(
      '--overlap must be a time such as 90m, 12h or 7d, not "soon"',
    );
    await expect(say(`keys revoke nobody --app ${subdomain}`)).rejects.toThrow('keyId: Invalid UUID');
  });

  it('come with everything as JSON', async () => {
    const { subdomain } = await anApp();
    const made = await json(`keys create --app ${subdomain}`);
    expect(made).toMatchObject({ success: true, key: { kind: 'mobile' }, plaintext: expect.stringMatching(/^ol_/) });
  });
});

describe('domains', () => {
  it('are added, verified, listed and removed by their names', async () => {
    const { subdomain } = await anApp();
    const added = (await say(`domains add Go.shop.example --app ${subdomain}`)).out;
    const [, name = '', value = ''] = /^TXT record +(\S+)\nvalue +(\S+)$/m.exec(added)!;
    expect(name).toBe('_landfall.go.shop.example');
    const verify = `domains verify go.shop.example --app ${subdomain}`;
    await expect(say(verify)).rejects.toThrow('_landfall.go.shop.example has no TXT record');
    dns.records[name] = { TXT: [value] };
    expect((await say(verify)).out).toMatch(/^go\.shop\.example is verified since 20/);
    expect((await say(`domains list --app ${subdomain}`)).out).toMatch(/^DOMAIN .*\ngo\.shop\.example {2}20/);
    expect((await say(`domains remove go.shop.example --app ${subdomain}`)).out).toBe('go.shop.example is removed.');
    await expect(say(verify)).rejects.toThrow('The app has no domain go.shop.example');
  });
});

describe('matching', () => {
  it('is compared with other settings, and stays as it is', async () => {
    const { id, subdomain } = await anApp();
    const out = (await say(`matching what-if ${subdomain} --set windowMinutes=90 --set existingUsers=false`)).out;
    expect(out).toMatch(/^decisions +0$/m);
    expect(out).toMatch(/^windowMinutes +60 +90$/m);
    expect(out).toMatch(/^existingUsers +true +false$/m);
    expect(await json(`matching what-if ${id} --set evidence=exact --days 7`)).toMatchObject({ given: { before: 0 } });
    expect((await json(`apps show ${id}`)).app.matching).toMatchObject({ windowMinutes: 60, existingUsers: true });
  });

  it.each([
    ['--set tokenDays=3', /--set tokenDays: only .*windowMinutes.* can be tried/],
    ['--set windowMinutes=121', /--set windowMinutes: /],
    ['--set windowMinutes', /--set must be like windowMinutes=60, not "windowMinutes"/],
    ['--days 31', /--days must be a number from 1 to 30, not "31"/],
  ])('refuses %s in a sentence', async (option, sentence) => {
    const { id } = await anApp();
    await expect(say(`matching what-if ${id} ${option}`)).rejects.toThrow(sentence);
  });
});

describe('plans', () => {
  it('are set and shown with what is used up', async () => {
    const { subdomain } = await anApp();
    const { out: key } = await say(`keys create --app ${subdomain}`);
    await uses(key);
    expect((await say(`plans set --app ${subdomain} --name small --links 1`)).out).toMatch(
      /^plan +small\nlinks a month +1\nmade in 2026-\d\d +1$/m,
    );
    expect(await uses(key)).toBe(403);
    await say(`plans set --app ${subdomain} --name any --links unlimited`);
    expect((await json(`plans show --app ${subdomain}`)).plan).toEqual({ name: 'any', linksPerMonth: null });
    expect(await uses(key)).toBe(200);
  });
});

describe('pushes', () => {
  const send = async (appId: string, more: object) => {
    const body = { appId, title: 'Hello', body: 'You', target: { all: true }, ...more };
    const headers = { authorization: `Bearer ${system.ownerToken}` };
    const answer = await system.send({ method: 'POST', path: '/api/push/send', headers, body });
    expect(answer.status).toBe(200);
    return answer.json.notificationId as string;
  };

  it('are listed, explained for a user, and taken back', async () => {
    const { id, subdomain } = await anApp();
    const { out: key } = await say(`keys create --app ${subdomain}`);
    const userEmail = `${crypto.randomUUID()}@example.com`;
    const register = {
      method: 'POST',
      path: '/api/push/register',
      headers: { 'x-service-sdk-key': key },
      body: { deviceToken: `a-token:${crypto.randomUUID()}`, platform: 'android', userEmail },
    };
    expect((await system.send(register)).status).toBe(200);
    await system.settled();
    expect((await say(`pushes devices --app ${subdomain} --user ${userEmail}`)).out).toMatch(
      /^ID .*\n\S+ +android +live /,
    );
    expect((await say(`pushes devices --app ${subdomain} --user nobody`)).out).toBe('None.');

    const later = await send(id, { scheduleAt: new Date(system.clock() + 3_600_000).toISOString() });
    expect((await say(`pushes show ${later}`)).out).toMatch(/^status +scheduled$/m);
    expect((await say(`pushes cancel ${later}`)).out).toMatch(/^status +cancelled$/m);
    expect((await say(`pushes list --app ${subdomain}`)).out).toMatch(new RegExp(`^${later} +Hello +cancelled `, 'm'));
    expect((await say(`pushes why ${later} --user nobody`)).out).toMatch(/^No device /);
    expect((await say(`pushes why ${later} --user ${userEmail}`)).out).toMatch(
      /^\S+ {2}none {2}The notification was taken back before it was sent\.$/,
    );
    await expect(say(`pushes stop ${crypto.randomUUID()}`)).rejects.toThrow('There is no such notification.');

    const [device] = (await json(`pushes devices --app ${subdomain} --user ${userEmail}`)).devices;
    expect((await say(`pushes device ${device.id} --app ${subdomain}`)).out).toMatch(
      /^No push reaches it: the app has no credentials for its provider\..*\n\nTIME .*\n20\S+ +registered +- +The app registered the device\./,
    );
    expect((await say(`pushes delete-device ${device.id} --app ${subdomain}`)).out).toContain(
      `${device.id} is deleted.`,
    );
    for (const action of ['device', 'delete-device'])
      await expect(say(`pushes ${action} ${device.id} --app ${subdomain}`)).rejects.toThrow('no such device');
    expect((await say(`pushes devices --app ${subdomain} --user ${userEmail}`)).out).toBe('None.');
    // The app registers again: the device is back, under the same id.
    await system.send(register);
    await system.settled();
    expect((await json(`pushes devices --app ${subdomain} --user ${userEmail}`)).devices).toMatchObject([
      { id: device.id, state: 'live' },
    ]);
  });
});

describe('users', () => {
  it('are listed, and choose a password where the operator tells them to', async () => {
    const person = await people.join(first, first.teamId, 'viewer');
    expect((await say('users list')).out).toMatch(new RegExp(`^${person.id}  ${person.email} `, 'm'));
    const { out: code, err } = await say(`users reset-password ${person.email}`);
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(err).toContain('curl -X POST http://api.test/api/manage/password ');
    expect(err).toMatch(new RegExp(`^For ${person.email} alone, once, until 20`));
    expect((await person.send({ path: '/api/manage/me' })).status).toBe(401);
    await expect(people.signIn(person)).rejects.toThrow('WRONG_CREDENTIALS');
    const password = people.newPassword();
    const choose = () =>
      system.send({
        method: 'POST',
        path: '/api/manage/password',
        headers: { 'x-landfall': '1' },
        body: { code, password },
      });
    const chosen = people.signedIn(await choose(), password);
    expect((await chosen.send({ path: '/api/manage/me' })).json.person.id).toBe(person.id);
    expect(await choose()).toMatchObject({ status: 401, json: { code: 'CODE_UNKNOWN' } });
    await expect(say('users reset-password nobody@example.com')).rejects.toThrow('There is no such person.');
  });

  it('lose the second factor that they lost', async () => {
    const person = await people.join(first, first.teamId, 'viewer');
    const app = '/api/manage/me/authenticator-app';
    const { step, secret } = (await person.send({ method: 'POST', path: app })).json;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: system.clock() });
    await person.send({ method: 'POST', path: `${app}/confirm`, body: { step, code } });
    expect((await say('users list')).out).toMatch(new RegExp(`^${person.id}  ${person.email} .* yes `, 'm'));
    await expect(people.signIn(person)).rejects.toThrow();
    const { out } = await say(`users remove-second-factor ${person.email}`);
    expect(out).toBe(`${person.email} signs in with the password alone, until they set one up.`);
    await people.signIn(person);
    const again = say(`users remove-second-factor ${person.email}`);
    await expect(again).rejects.toThrow('There is no second factor.');
  });
});

describe('tokens', () => {
  it('of the operator are made, used, listed and revoked', async () => {
    const { out: token, err } = await say('tokens create --label CI --expires 2099-01-31');
    expect(token).toMatch(/^lf_[0-9a-f]{32}$/);
    const id = /The owner token (\S+)\./.exec(err)![1]!;
    const own = { LANDFALL_TOKEN: token };
    expect((await say('tokens list', own)).out).toMatch(new RegExp(`^${id}  CI +lf_.* owner +- +2099-01-31T`, 'm'));
    expect((await say(`tokens revoke ${id}`, own)).out).toBe(`${id} is revoked.`);
    await expect(say('apps list', own)).rejects.toThrow('does not take this token: set LANDFALL_TOKEN to a live one.');
  });

  it('of a team are listed and revoked, and may do what their person may', async () => {
    const { id, token } = await people.makeToken(first, first.teamId, 'write');
    const own = { LANDFALL_TOKEN: token };
    await say('apps list', own);
    await expect(say('tokens list', own)).rejects.toThrow(
      'Your role, or the scope of your token, does not allow this.',
    );
    expect((await say(`tokens list --team ${first.teamId}`)).out).toMatch(
      new RegExp(`^${id} .* write +${first.id}`, 'm'),
    );
    await say(`tokens revoke ${id} --team ${first.teamId}`);
    await expect(say('apps list', own)).rejects.toThrow('does not take this token');
  });
});

it.each([
  ['<html>', 'What answers at URL is no Landfall'],
  ['{}', 'The gateway answered something unknown'],
])('says so when something else answers: %s', async (body, says) => {
  const other = createServer((_, res) => void res.end(body));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await expect(say('apps list', { LANDFALL_URL: url })).rejects.toThrow(says.replace('URL', url));
  await new Promise((resolve) => other.close(resolve));
});
