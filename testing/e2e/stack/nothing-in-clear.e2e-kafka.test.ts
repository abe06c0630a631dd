// Checks that no topic and no log contains a key, token, device token, credential, password, session id, code, address,
// email or fingerprint in clear text. Runs after the end-to-end suite and reads every record that the suite left. The
// run notes the secrets of all its requests, and this test searches for them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { App } from '@landfall/contracts';
import {
  ANDROID,
  describeScaledOut,
  fakesOfRun,
  freshIp,
  peopleOf,
  readTables,
  readTopics,
  type System,
  samePage,
  secretsSaid,
  startSystem,
} from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { post, put } from '../calls.ts';

const stack = inject('stack');
const person = {
  ip: '203.0.113.77',
  email: 'somebody@in-clear.example',
  fingerprint: 'a fingerprint, in clear',
  deviceToken: `in-clear:APA91b${'token'.repeat(20)}`,
  userAgent: ANDROID.replace('Android 10', 'Android 9'),
  tapped: 'somebody-tapped@in-clear.example',
};

describeScaledOut('the topics of the whole run', () => {
  let system: System;
  let records: readonly Said[];
  let secrets: Map<string, string>;
  let key: string;
  /** The secret in the URL of a share. */
  let share: string;
  /** The private key of push credentials, as PEM. */
  let pem: string;
  /** The secrets of people: their email and password, ids of sessions, codes. */
  let said: string[];

  const manage = async (path: string, body: object) => {
    const answer = await system.manage(post(`/api/manage${path}`, body));
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };

  const send = async (body: object) => {
    const answer = await system.manage(post('/api/push/send', body));
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };

  /** Sends one request of each kind, so that this file also works when it runs alone. */
  beforeAll(async () => {
    system = await startSystem();
    const android = { package: 'com.example.shop' };
    const { app } = await manage('/apps', { name: 'Shop', subdomain: `c${Date.now()}`, android });
    ({ plaintext: key } = await manage(`/apps/${app.id}/keys`, { label: 'test' }));
    const { ip, email: userEmail, fingerprint: deviceFingerprint, deviceToken, userAgent } = person;
    const sdk = (path: string, body: object) =>
      system.sdk({ app, key }, { method: 'POST', path: `/api/${path}`, ip, body });
    const link = await system.makeLink({ app, key });
    system.keepsSecret('tapped query', person.tapped);
    const tapped = await system.tap(`${link.url}?email=${person.tapped}&utm_source=mail`, { ip, userAgent });
    const installReferrer = new URL(tapped.headers.location!).searchParams.get('referrer')!;
    await sdk('deferred-deep-linking/store', { linkId: link.id, userEmail, deviceFingerprint });
    await sdk('deferred-deep-linking/install-heartbeat', { deviceFingerprint });
    await sdk('push/register', { deviceToken, platform: 'ios', userEmail });
    await push(app.id);
    share = await openShare(app.id);
    await system.settled();
    const restored = await sdk('deferred-deep-linking/restore', { userEmail, deviceFingerprint, installReferrer });
    expect(restored.json).toMatchObject({ count: 1 });
    expect(restored.json.restoredLinks[0].originalUrl).toContain(person.tapped);
    said = await signInAndInvite();
    await system.settled();
    records = await readTopics(stack.brokers, stack.prefix);
    secrets = secretsSaid(stack.folder);
  }, 60_000);
  afterAll(() => system?.stop());

  /** Sends a push to the person, and sets push credentials for the app. */
  async function push(appId: string): Promise<void> {
    const message = { appId, title: 'A', body: 'B', destinationPath: '/a' };
    const target = { userEmails: [person.email], deviceTokens: [person.deviceToken] };
    const { notificationId } = await send({ ...message, target });
    await system.sdk(
      { app: { id: appId } as App, key },
      post('/api/push/opened', { notificationId, deviceToken: person.deviceToken }),
    );
    const credentials = await (await fakesOfRun()).newAppleKey();
    const path = `/api/manage/apps/${appId}/push-providers/apns`;
    expect((await system.manage(put(path, credentials))).status).toBe(200);
    pem = credentials.key;
  }

  /** Makes a share with a password, and opens it as its viewers do. */
  async function openShare(appId: string): Promise<string> {
    const password = 'tulips in november';
    const { url } = await manage(`/apps/${appId}/shares`, { name: 'Autumn', view: {}, password });
    const secret = new URL(url).hash.slice(1);
    system.keepsSecret('the secret of a share', secret);
    const headers = { ...samePage, authorization: `Share ${secret}` };
    const answer = await system.send({ ...post('/api/share/unlock', { password }), headers });
    expect(answer.status, answer.text).toBe(200);
    return secret;
  }

  async function signInAndInvite(): Promise<string[]> {
    const people = peopleOf(system);
    const owner = await people.setUp();
    const next = people.newPassword();
    const changed = await owner.send(post('/api/manage/me/password', { current: owner.password, next }));
    const again = people.signedIn(changed, next);
    await again.send({ path: '/api/manage/me' });
    const { token } = await people.makeToken(again, owner.teamId, 'read');
    const headers = { authorization: `Bearer ${token}` };
    await system.send({ path: '/api/manage/me', headers });
    const member = await people.join(again, owner.teamId, 'member');
    await people.signIn(member);
    await member.send({ path: `/api/manage/teams/${owner.teamId}/members` });
    await again.send({ path: `/api/manage/teams/${owner.teamId}/audit/export?format=csv` });
    const ids = [owner, again, member].flatMap(({ cookie }) => cookie.split('; ').map((one) => one.split('=')[1]!));
    return [owner.email, member.email, owner.password, next, member.password, token, ...ids];
  }

  it('looks at every kind of topic, and knows what was said', () => {
    const topics = new Set(records.map(({ topic }) => topic));
    for (const topic of ['landfall.replies', 'account.queries', 'link.clicked', 'key.changed'])
      expect([...topics]).toContain(topic);
    for (const one of [
      person.ip,
      person.email,
      person.fingerprint,
      person.deviceToken,
      pem,
      person.userAgent,
      person.tapped,
      `Bearer ${system.ownerToken}`,
      key,
    ])
      expect([...secrets.keys()]).toContain(one);
    const all = [...secrets].flatMap(([text, what]) => partsOf(what, text));
    for (const one of said) expect(all).toContain(one);
    expect([...secrets.values()]).toContain('code');
    // Topics contain only a hash of the key.
    expect(records.some(({ text }) => text.includes(createHash('sha256').update(key).digest('base64url')))).toBe(true);
  });

  it('finds nothing of it in any topic', () => {
    console.info(`${records.length} records, ${secrets.size} secrets`);
    expect(leaksIn(records).slice(0, 20)).toEqual([]);
  });

  it('finds nothing of it in what the processes have logged, nor an error', () => {
    const lines = readFileSync(stack.logFile, 'utf8').split('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect(leaksIn(lines.map((text) => ({ topic: 'the log', text }))).slice(0, 20)).toEqual([]);
    // One suite has an app whose push credentials the provider refuses. This error is right, because an operator must
    // act.
    const expected = 'a provider refuses the credentials of an app: its pushes wait';
    const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line) && !line.includes(expected));
    expect(errors).toEqual([]);
  });

  /** The database stores the names of people but not their secrets. */
  it('finds nothing in the database with which anybody could sign in', async () => {
    const rows = Object.entries(await readTables(system)).flatMap(([topic, texts]) =>
      texts.map((text) => ({ topic, text: withBytesRead(text) })),
    );
    for (const table of ['users', 'sessions', 'keys', 'tokens', 'invitations', 'audit'])
      expect(rows.map(({ topic }) => topic)).toContain(`account.${table}`);
    expect(signsIn(leaksIn(rows)).slice(0, 20)).toEqual([]);
    const planted = [...said.filter((one) => !one.includes('@')), key, share, system.ownerToken];
    const found = leaksIn(planted.map((text) => ({ topic: 'planted', text }))).join('\n');
    for (const one of planted) expect(found).toContain(one);
  });

  it('would find each of them', async () => {
    const planted = [
      key,
      share,
      system.ownerToken,
      person.ip,
      person.email,
      person.fingerprint,
      person.deviceToken,
      person.tapped,
      pem.split('\n')[1]!,
      ...said,
      freshIp(),
      stack.env.HASH_SECRET!,
      stack.env.SEAL_SECRET!,
    ];
    // The text of a push is not hidden, so the search must find a secret in it.
    const { app } = await manage('/apps', { name: 'Planted', subdomain: `p${Date.now()}` });
    for (const secret of planted)
      await send({ appId: app.id, title: 'A', body: `of ${secret}`, target: { all: true } });
    await system.settled();
    const found = leaksIn(await readTopics(stack.brokers, stack.prefix)).join('\n');
    for (const secret of planted) expect(found).toContain(secret);
  });

  /** Returns the secrets that the search found, with their places. */
  function leaksIn(stored: readonly Said[]): string[] {
    const leaks: string[] = [];
    const found = (what: string, secret: string, { topic, text }: Said) =>
      leaks.push(`${what} in ${topic}: ${secret} in ${text.slice(0, 600)}`);
    const inWords = new Map<string, string>();
    const inText = ['HASH_SECRET', 'SEAL_SECRET'].map((name): [string, string] => [name, stack.env[name]!]);
    for (const [said, what] of secrets) {
      for (const secret of partsOf(what, said)) {
        if (secret.length < SHORTEST || isAnybodys(secret)) continue;
        if (what !== 'x-forwarded-for' && new Set(secret).size < FEWEST) continue;
        if (/^[\w.@-]+$/.test(secret)) inWords.set(secret, what);
        else inText.push([what, JSON.stringify(secret).slice(1, -1)]);
      }
    }
    for (const record of stored) {
      for (const [what, form] of forms) {
        const one = form.exec(record.text);
        if (one) found(what, one[0], record);
      }
      for (const word of record.text.split(/[^\w.@-]+/)) if (inWords.has(word)) found(inWords.get(word)!, word, record);
      for (const [what, secret] of inText) if (record.text.includes(secret)) found(what, secret, record);
    }
    return leaks;
  }
});

/** PostgreSQL shows bytes in hex. Adds the bytes as text after the hex. */
const withBytesRead = (row: string): string =>
  row.replace(
    /"\\\\x((?:[0-9a-f]{2})+)"/g,
    (_, hex: string) => `"${hex}" "${Buffer.from(hex, 'hex').toString('latin1')}"`,
  );

/** Leaves out addresses, emails, user agents and device tokens: a person cannot sign in with them. */
const signsIn = (leaks: readonly string[]): string[] =>
  leaks.filter(
    (leak) =>
      !/^(?:x-forwarded-for|email|userEmail|user-agent|deviceFingerprint|deviceToken|tapped query|an address of a test) in /.test(
        leak,
      ),
  );

/** A record of a topic, a line of the log, or a row of a table. */
interface Said {
  topic: string;
  text: string;
}

/** The forms of secrets. No record may contain a text of such a form, whichever request sent it. */
const forms: [what: string, form: RegExp][] = [
  ['an SDK key', /\bol_[0-9a-f]{32}/],
  ['a token', /\blf_[0-9a-f]{32}/],
  ['an address of a test', /\b240(?:\.\d{1,3}){3}\b/],
];

/** The minimum length of a secret for the search. Shorter texts are everyday words. */
const SHORTEST = 6;
/**
 * The minimum number of different characters in a secret for the search. Property tests also send texts with fewer
 * different characters in other fields by chance, such as `///////`. Addresses are exempt because they have few
 * different characters.
 */
const FEWEST = 4;
/** The names of what every object and every function has, in lower case. Property tests send them in any field. */
const everywhere = new Set(
  [Object.prototype, Function.prototype, class {}].flatMap((one) =>
    Object.getOwnPropertyNames(one).map((name) => name.toLowerCase()),
  ),
);
/** True for a text that the suite sends in all fields, also in those that are not secret, such as a destination. */
const isAnybodys = (word: string) => everywhere.has(word.toLowerCase()) || word === '//evil.example';

function partsOf(what: string, said: string): string[] {
  // The address of this machine belongs to no client, and requests also name it as their host.
  if (what === 'x-forwarded-for') return said.split(/[\s,]+/).filter((one) => isIP(one) !== 0 && one !== '127.0.0.1');
  if (what === 'cookie') return said.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  // Search for a PEM key line by line, because its line endings can be written in several ways.
  if (what === 'key' || what === 'private_key') return said.split('\n').filter((line) => !line.startsWith('-----'));
  // Search for a device token as a word, because there are thousands of tokens. Use the longest part between colons.
  if (what === 'deviceToken')
    return said
      .split(':')
      .toSorted((a, b) => b.length - a.length)
      .slice(0, 1);
  // An account's email is an address. Other texts in this field were refused, and other requests send the same words.
  if (what === 'email' && !said.includes('@')) return [];
  if (what === 'authorization') return [said.replace(/^\w+ +/, '')];
  if (what === 'installReferrer') return [said, new URLSearchParams(said).get('lf_click') ?? ''];
  return [said, said.trim().toLowerCase()];
}
