// No key, token, address, email or fingerprint lies in any topic or log in clear. Runs after the end-to-end suite, and looks at every
// record that it has left: what the requests of the whole run have said is known, and searched for.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  ANDROID,
  describeScaledOut,
  freshIp,
  readTopics,
  type StoredRecord,
  type System,
  secretsSaid,
  startSystem,
} from '@landfall/testkit';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const stack = inject('stack');
const person = {
  ip: '203.0.113.77',
  email: 'somebody@in-clear.example',
  fingerprint: 'a fingerprint, in clear',
  userAgent: ANDROID.replace('Android 10', 'Android 9'),
};

describeScaledOut('the topics of the whole run', () => {
  let system: System;
  let records: StoredRecord[];
  let secrets: Map<string, string>;
  let key: string;

  const manage = async (path: string, body: object) => {
    const answer = await system.manage({ method: 'POST', path: `/api/manage${path}`, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };

  /** So that the file holds alone, too: one of each. */
  beforeAll(async () => {
    system = await startSystem();
    const android = { package: 'com.example.shop' };
    const { app } = await manage('/apps', { name: 'Shop', subdomain: `c${Date.now()}`, android });
    ({ plaintext: key } = await manage(`/apps/${app.id}/keys`, { label: 'test' }));
    const { ip, email: userEmail, fingerprint: deviceFingerprint, userAgent } = person;
    const sdk = (path: string, body: object) =>
      system.sdk({ app, key }, { method: 'POST', path: `/api/${path}`, ip, body });
    const link = await system.makeLink({ app, key });
    const tapped = await system.tap(link.url, { ip, userAgent });
    const installReferrer = new URL(tapped.headers.location!).searchParams.get('referrer')!;
    await sdk('deferred-deep-linking/store', { linkId: link.id, userEmail, deviceFingerprint });
    await sdk('deferred-deep-linking/install-heartbeat', { deviceFingerprint });
    await system.settled();
    const restored = await sdk('deferred-deep-linking/restore', { userEmail, deviceFingerprint, installReferrer });
    expect(restored.json).toMatchObject({ count: 1 });
    await system.settled();
    records = await readTopics(stack.brokers, stack.prefix);
    secrets = secretsSaid(stack.folder);
  }, 60_000);
  afterAll(() => system?.stop());

  it('looks at every kind of topic, and knows what was said', () => {
    const topics = new Set(records.map(({ topic }) => topic));
    for (const topic of ['landfall.replies', 'account.commands', 'account.queries', 'link.clicked', 'key.changed'])
      expect([...topics]).toContain(topic);
    for (const said of [
      person.ip,
      person.email,
      person.fingerprint,
      person.userAgent,
      `Bearer ${system.ownerToken}`,
      key,
    ])
      expect([...secrets.keys()]).toContain(said);
    // Only a hash of it travels.
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
    expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });

  it('would find each of them', async () => {
    const planted = [
      key,
      system.ownerToken,
      person.ip,
      person.email,
      person.fingerprint,
      freshIp(),
      stack.env.HASH_SECRET!,
    ];
    // The name of an app is nothing that is hidden.
    for (const [i, name] of planted.entries())
      await manage('/apps', { name: `of ${name}`, subdomain: `p${Date.now()}${i}` });
    await system.settled();
    const found = leaksIn(await readTopics(stack.brokers, stack.prefix)).join('\n');
    for (const secret of planted) expect(found).toContain(secret);
  });

  /** What was found, and where. */
  function leaksIn(stored: readonly StoredRecord[]): string[] {
    const leaks: string[] = [];
    const found = (what: string, secret: string, { topic, text }: StoredRecord) =>
      leaks.push(`${what} in ${topic}: ${secret} in ${text.slice(0, 300)}`);
    const inWords = new Map<string, string>();
    const inText: [string, string][] = [['HASH_SECRET', stack.env.HASH_SECRET!]];
    for (const [said, what] of secrets) {
      for (const secret of partsOf(what, said)) {
        if (secret.length < SHORTEST || isAnybodys(secret)) continue;
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

/** Nothing that looks like one of these lies anywhere, whoever said it. */
const forms: [what: string, form: RegExp][] = [
  ['an SDK key', /\bol_[0-9a-f]{32}/],
  ['a token', /\blf_[0-9a-f]{32}/],
  ['an address of a test', /\b198\.(?:1[89]|2\d)\.\d{1,3}\.\d{1,3}\b/],
];

/** Shorter ones are words of every day. */
const SHORTEST = 6;
/** What the suite says anywhere, to see what comes of it: also as a link's destination, which is no secret. */
const isAnybodys = (word: string) => word in {} || word === '//evil.example';

function partsOf(what: string, said: string): string[] {
  // The one of this machine is nobody's, and is asked for as a host, too.
  if (what === 'x-forwarded-for') return said.split(/[\s,]+/).filter((one) => isIP(one) !== 0 && one !== '127.0.0.1');
  if (what === 'authorization') return [said.replace(/^\w+ +/, '')];
  if (what === 'installReferrer') return [said, new URLSearchParams(said).get('lf_click') ?? ''];
  return [said, said.trim().toLowerCase()];
}
