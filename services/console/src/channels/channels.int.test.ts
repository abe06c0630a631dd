// Channels, and what is sent through them: to a mail server and a web server of this machine.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Mailbox, startMailbox } from '@landfall/testkit';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type ConsoleFixture, consoleSuite, done, makeApp, refused } from '../console.testing.ts';
import { createMailer } from '../mail/mailer.ts';
import { as, join, setUp } from '../people.testing.ts';
import {
  confirmChannelAgain,
  createChannel,
  listChannels,
  listMessages,
  removeChannel,
  renewChannelSecret,
  testChannel,
} from './channels.ts';
import { deliverDue } from './deliver.ts';
import { asTeams, type Message } from './message.ts';
import { confirmChannel, unsubscribe } from './recipients.ts';
import { MAILS_A_DAY } from './send.ts';

interface Post {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A web server that keeps what it gets. `answers`: the status of each answer in turn; the last one stays. */
async function startReceiver(answers: number[] = [200], headers: Record<string, string> = {}) {
  const posts: Post[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    posts.push({ path: req.url!, headers: req.headers as Record<string, string>, body });
    const status = answers.length > 1 ? answers.shift()! : answers[0]!;
    res.writeHead(status, headers).end('no such thing');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { posts, port, url: `http://127.0.0.1:${port}/services/T0/B0/secret-of-slack` };
}

const message = (title = 'Weekly'): Message => ({
  ...{ type: 'report', title, lines: ['Taps: 12 (+20 %)'], notes: [], url: 'http://api.test/apps/1' },
  sections: [{ title: 'Links', rows: [['<!channel> & https://evil.example', '3']] }],
  data: { taps: 12 },
});

consoleSuite('a channel', (fixture) => {
  const allowPrivate = () => {
    fixture.parts.config = { ...fixture.parts.config, PRIVATE_WEBHOOKS: 'on' };
  };
  async function withMail(options?: Parameters<typeof startMailbox>[0]): Promise<Mailbox> {
    const box = await startMailbox(options);
    const from = { name: 'Landfall', address: 'landfall@example.com' };
    const settings = { host: 'localhost', port: box.port, secure: false, plain: true, auth: undefined, from };
    const mailer = createMailer(settings, { host: 'api.test', log: fixture.parts.log });
    fixture.parts.mailer = mailer;
    onTestFinished(async () => {
      await mailer.stop();
      await box.close();
    });
    return box;
  }
  const add = async (appId: string, of: object, more: object = {}) =>
    done(fixture.ask(createChannel, { appId, name: 'Team', ...of, ...more }));
  const messagesOf = async (appId: string) => (await done(fixture.ask(listMessages, { appId }))).messages;
  const deliver = () => deliverDue(fixture.parts);

  async function queue({ parts }: ConsoleFixture, appId: string, channelId: string, n = 1) {
    const { kind: via } = (await parts.account.channels.find(appId, channelId))!;
    const ids = Array.from({ length: n }, () => crypto.randomUUID());
    await parts.telling({ id: ids[0]!, now: parts.now() }, async (tx) => {
      const rows = ids.map((id) => ({ id, appId, channelId, via, message: message(), createdAt: parts.now() }));
      await parts.account.messages.add(
        tx,
        rows.map((row) => ({ ...row, kind: 'report', sourceId: null })),
      );
      return { done: undefined };
    });
    return ids;
  }

  it.each([
    [{ kind: 'slack' }, 'target is required'],
    [{ kind: 'slack', target: 'hooks.slack.com/services/x' }, 'target must be an https URL'],
    [{ kind: 'webhook', target: 'http://example.com/x' }, 'target must be an https URL'],
    [{ kind: 'webhook', target: 'https://ada:pw@example.com/x' }, 'target must have no name and no password'],
    [{ kind: 'webhook', target: 'https://example.com/x', userId: crypto.randomUUID() }, 'userId is for email only'],
  ])('%o is refused: %s', async (of, sentence) => {
    const { id: appId } = await makeApp(fixture);
    const asked = createChannel.handle(
      {
        params: { appId },
        body: createChannel.body!.parse({ name: 'Team', ...of }),
      } as never,
      fixture.parts,
    );
    await expect(asked).rejects.toThrow(sentence);
  });

  it('keeps its target to itself', async () => {
    const { id: appId } = await makeApp(fixture);
    const target = 'https://hooks.slack.com/services/T0/B0/very-secret-7k2m';
    const { channel } = await add(appId, { kind: 'slack', target });
    expect(channel).toMatchObject({ hint: 'hooks.slack.com/…7k2m', state: 'ready' });
    const bare = await add(appId, { kind: 'webhook', target: 'https://example.com:9' });
    expect(bare.channel.hint).toBe('example.com:9');
    const { secret } = await add(appId, { kind: 'webhook', target: 'https://example.com/very-secret' });
    const stored = JSON.stringify([
      await fixture.database.rows('select * from account.channels'),
      await fixture.database.rows('select * from account.audit'),
      await done(fixture.ask(listChannels, { appId })),
    ]);
    expect(stored).not.toContain('very-secret');
    expect(stored).not.toContain(secret!.slice('whsec_'.length));
  });

  it('reaches no address inside of the network, by whatever name', async () => {
    const { id: appId } = await makeApp(fixture);
    const { port, posts } = await startReceiver();
    for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254']) {
      const { channel } = await add(appId, { kind: 'webhook', target: `https://${host}:${port}/x` });
      const answer = await fixture.ask(testChannel, { appId, channelId: channel.id });
      expect(answer, host).toMatchObject({ refusal: { code: 'CHANNEL_FAILED', facts: { fault: 'PRIVATE_ADDRESS' } } });
    }
    expect(posts).toEqual([]);
  });

  it('says to a webhook who sends, in the way of Standard Webhooks', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { posts, url } = await startReceiver();
    const { channel, secret } = await add(appId, { kind: 'webhook', target: url });
    const [id] = await queue(fixture, appId, channel.id);
    await deliver();
    const [{ headers, body } = {} as Post] = posts;
    const key = Buffer.from(secret!.replace('whsec_', ''), 'base64');
    expect(key.length).toBe(32);
    const content = `${id}.${headers['webhook-timestamp']}.${body}`;
    const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-signature': expected });
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(fixture.clock() / 1000));
    expect(JSON.parse(body)).toMatchObject({ type: 'report', data: { title: 'Weekly', taps: 12 } });
    expect(await messagesOf(appId)).toMatchObject([{ id, state: 'sent', attempts: 1, fault: null }]);
  });

  it('signs with its new secret alone, also what was waiting', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { posts, url } = await startReceiver();
    const { channel, secret: old } = await add(appId, { kind: 'webhook', target: url });
    const [id] = await queue(fixture, appId, channel.id);
    const { secret } = await done(fixture.ask(renewChannelSecret, { appId, channelId: channel.id }));
    await deliver();
    const [{ headers, body } = {} as Post] = posts;
    const by = (whole: string) =>
      `v1,${createHmac('sha256', Buffer.from(whole.replace('whsec_', ''), 'base64'))
        .update(`${id}.${headers['webhook-timestamp']}.${body}`)
        .digest('base64')}`;
    expect(secret).not.toBe(old);
    expect(headers['webhook-signature']).toBe(by(secret!));
    const { channel: slack } = await add(appId, { kind: 'slack', target: url });
    expect(await refused(fixture.ask(renewChannelSecret, { appId, channelId: slack.id }))).toBe(
      'CHANNEL_WITHOUT_SECRET',
    );
  });

  it('fits into a card of Teams, in which no name is a link', async () => {
    const row = ['ሀ'.repeat(300), '1,000,000 taps, 1,000,000 installs from links'] as [string, string];
    const lines = Array.from({ length: 5 }, () => 'Installs from links: 1,000,000,000 (+1,000%)');
    const sections = ['Campaigns', 'Links', 'Countries'].map((title) => ({ title, rows: Array(5).fill(row) }));
    const body = asTeams({ ...message('ሀ'.repeat(300)), lines, sections });
    expect(Buffer.byteLength(body)).toBeLessThan(28_000);
    const { body: blocks } = JSON.parse(body).attachments[0].content;
    expect(new Set(blocks.map(({ type }: { type: string }) => type))).toEqual(new Set(['RichTextBlock']));
  });

  it('calls nobody in Slack by the name of a link', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { posts, url } = await startReceiver();
    const { channel } = await add(appId, { kind: 'slack', target: url });
    await queue(fixture, appId, channel.id);
    await deliver();
    const { text } = JSON.parse(posts[0]!.body) as { text: string };
    expect(text).toContain('&lt;!channel&gt; &amp; https evil.example: 3');
    expect(text).toContain('<http://api.test/apps/1|See all figures>');
  });

  it.each([
    [[301], 'ANSWER', 301],
    [[404], 'ANSWER', 404],
    [[500], 'ANSWER', 500],
  ] as const)('passes no test with %j', async (answers, fault, status) => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const other = await startReceiver();
    const { url, posts } = await startReceiver([...answers], { location: other.url });
    const { channel } = await add(appId, { kind: 'slack', target: url });
    const answer = await fixture.ask(testChannel, { appId, channelId: channel.id });
    expect(answer).toMatchObject({ refusal: { code: 'CHANNEL_FAILED', facts: { fault, status } } });
    expect([posts.length, other.posts.length]).toEqual([1, 0]);
    expect(await messagesOf(appId)).toMatchObject([{ kind: 'test', state: 'failed', fault, status }]);
    const { channels } = await done(fixture.ask(listChannels, { appId }));
    expect(channels[0]!.failingSince).not.toBeNull();
  });

  it('tries again later, and gives up a closed address', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { url, posts } = await startReceiver([503, 429, 200, 410], { 'retry-after': '120' });
    const { channel } = await add(appId, { kind: 'slack', target: url });
    const isFailing = async () => (await done(fixture.ask(listChannels, { appId }))).channels[0]!.failingSince !== null;
    await queue(fixture, appId, channel.id);
    await deliver();
    expect(await messagesOf(appId)).toMatchObject([{ state: 'waiting', fault: 'ANSWER', status: 503 }]);
    expect(await isFailing()).toBe(true);
    fixture.clock.advance({ seconds: 119 });
    await deliver();
    expect(posts).toHaveLength(1);
    fixture.clock.advance({ seconds: 1 });
    await deliver();
    fixture.clock.advance({ seconds: 120 });
    await deliver();
    expect(await messagesOf(appId)).toMatchObject([{ state: 'sent', attempts: 3 }]);
    expect(await isFailing()).toBe(false);
    await queue(fixture, appId, channel.id);
    fixture.clock.advance({ seconds: 1 });
    await deliver();
    expect((await messagesOf(appId))[0]).toMatchObject({ state: 'failed', status: 410, attempts: 1 });
    expect(await isFailing()).toBe(true);
  });

  it('ends after six attempts', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { url, posts } = await startReceiver([500]);
    const { channel } = await add(appId, { kind: 'slack', target: url });
    await queue(fixture, appId, channel.id);
    for (let i = 0; i < 8; i++) {
      await deliver();
      fixture.clock.advance({ hours: 7 });
    }
    expect(posts).toHaveLength(6);
    expect(await messagesOf(appId)).toMatchObject([{ state: 'failed', attempts: 6, nextAt: null }]);
  });

  it('gets each message once from two consoles', async () => {
    allowPrivate();
    const { id: appId } = await makeApp(fixture);
    const { url, posts } = await startReceiver();
    const { channel } = await add(appId, { kind: 'webhook', target: url });
    const ids = await queue(fixture, appId, channel.id, 40);
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(posts.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
  });

  it('gets a message once more, under the same id, from a console that ended between sending and storing', async () => {
    const { id: appId } = await inTeam();
    let kill = (): void => {};
    const box = await withMail({
      // The server has the message, and the sender never hears of it.
      onData: (stream) => void stream.resume().on('end', () => kill()),
    });
    const { channel } = await add(appId, { kind: 'email', userId: owner }, { actor: as(owner) });
    const [id] = await queue(fixture, appId, channel.id);
    await runAndKill(box.port, (child) => {
      kill = () => child.kill('SIGKILL');
    });
    expect(await messagesOf(appId)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    const next = await withMail();
    await deliver();
    expect(next.mails).toEqual([]);
    fixture.clock.advance({ seconds: 60 });
    await deliver();
    fixture.clock.advance({ hours: 1 });
    await deliver();
    expect(next.mails).toHaveLength(1);
    expect(next.mails[0]!.raw).toContain(`Message-ID: <${id}@api.test>`);
    expect(await messagesOf(appId)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  }, 60_000);

  async function runAndKill(port: number, began: (child: ReturnType<typeof spawn>) => void): Promise<void> {
    const [{ name } = { name: '' }] = await fixture.database.rows<{ name: string }>(
      'select current_database() as name',
    );
    const url = new URL(inject('databaseServerUrl'));
    url.pathname = `/${name}`;
    const program = fileURLToPath(new URL('./sender.testing.ts', import.meta.url));
    const given = {
      ...{
        DATABASE_URL: url.href,
        NOW: `${fixture.clock()}`,
        PUBLIC_URL: 'http://api.test',
        LINK_DOMAIN: 'links.test',
      },
      ...{ SMTP_URL: `smtp://localhost:${port}`, MAIL_FROM: 'landfall@example.com' },
      ...{ HASH_SECRET: fixture.parts.config.HASH_SECRET, SEAL_SECRET: fixture.parts.config.SEAL_SECRET },
    };
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'ignore', 'inherit'] });
    began(child);
    const signal = await new Promise((ended) => child.once('exit', (_, signal) => ended(signal)));
    expect(signal).toBe('SIGKILL');
  }

  let owner = '';
  async function inTeam() {
    const { userId, teamId } = await setUp(fixture);
    owner = userId;
    return makeApp(fixture, { teamId });
  }

  describe('of email', () => {
    const BOB = 'bob.the.builder@example.com';
    const codeOf = (box: Mailbox) => /http:\/\/api\.test\/confirm#([\w-]{43})/.exec(box.mails.at(-1)!.text)![1]!;
    const unsubscribeOf = (box: Mailbox) =>
      /^List-Unsubscribe: <http:\/\/api\.test\/unsubscribe\?of=([^>]+)>/m
        .exec(box.mails.at(-1)!.raw.replace(/\r\n[ \t]+/g, ' '))![1]!
        .replace(/ /g, '');

    it('needs a mail server, and one of an address and a member', async () => {
      const { id: appId } = await inTeam();
      const ask = (of: object) => fixture.ask(createChannel, { appId, name: 'Bob', kind: 'email', ...of });
      expect(await refused(ask({ target: BOB }))).toBe('MAIL_OFF');
      await withMail();
      expect(await refused(ask({}))).toBe('INVALID_REQUEST');
      expect(await refused(ask({ target: BOB, userId: owner }))).toBe('INVALID_REQUEST');
      expect(await refused(ask({ target: 'a@b.c, d@e.f' }))).toBe('INVALID_REQUEST');
      expect(await refused(ask({ userId: crypto.randomUUID() }))).toBe('MEMBER_NOT_FOUND');
    });

    it('gets nothing before its owner confirms it, and nothing after they end it', async () => {
      const { id: appId } = await inTeam();
      const box = await withMail();
      const { channel } = await add(appId, { kind: 'email', target: BOB });
      expect(channel).toMatchObject({ state: 'unconfirmed', hint: 'bo…@example.com' });
      await queue(fixture, appId, channel.id);
      await deliver();
      expect((await messagesOf(appId)).find(({ kind }) => kind === 'report')).toMatchObject({ fault: 'NOT_CONFIRMED' });
      expect(box.mails).toMatchObject([{ to: [BOB] }]);
      const code = codeOf(box);
      expect(await done(fixture.ask(confirmChannel, { code }))).toEqual({ appName: 'Shop' });
      expect(await refused(fixture.ask(confirmChannel, { code }))).toBe('CODE_UNKNOWN');
      await queue(fixture, appId, channel.id);
      await deliver();
      expect(box.mails).toHaveLength(2);
      const { raw, text } = box.mails.at(-1)!;
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      expect(text).toContain('Taps: 12 (+20 %)');
      expect(text).not.toContain('://evil');
      const of = unsubscribeOf(box);
      // Its last characters hold fewer bits than they could: another text there can mean the same bytes.
      const changed = of.replace(/^v1\.(.)/, (_, first) => `v1.${first === 'A' ? 'B' : 'A'}`);
      for (const wrong of ['nothing', changed])
        await expect(unsubscribe(wrong, null, fixture.parts)).rejects.toMatchObject({ code: 'CODE_UNKNOWN' });
      await unsubscribe(of, null, fixture.parts);
      await unsubscribe(of, null, fixture.parts);
      await queue(fixture, appId, channel.id);
      await deliver();
      expect(box.mails).toHaveLength(2);
      expect((await messagesOf(appId))[0]).toMatchObject({ state: 'failed', fault: 'UNSUBSCRIBED' });
      // Only the owner of the mailbox can take it back.
      await done(fixture.ask(confirmChannelAgain, { appId, channelId: channel.id, actor: as(owner) }));
      await done(fixture.ask(confirmChannel, { code: codeOf(box) }));
      await done(fixture.ask(testChannel, { appId, channelId: channel.id }));
      expect(box.mails).toHaveLength(4);
      const audit = await fixture.database.rows<{ action: string }>(
        'select action from account.audit where subject = $1 order by at',
        [channel.id],
      );
      expect(audit.map(({ action }) => action).sort()).toEqual(
        [
          'AskForConfirmation',
          'AskForConfirmation',
          'ConfirmChannel',
          'ConfirmChannel',
          'CreateChannel',
          'Unsubscribe',
        ].sort(),
      );
    });

    it('of a code that nobody got is not left behind', async () => {
      const { id: appId } = await inTeam();
      await withMail({ onRcptTo: (_, __, refuse) => refuse(new Error('no such mailbox')) });
      expect(await refused(fixture.ask(createChannel, { appId, name: 'Bob', kind: 'email', target: BOB }))).toBe(
        'MAIL_FAILED',
      );
      expect((await done(fixture.ask(listChannels, { appId }))).channels).toEqual([]);
    });

    it('follows the email of a member, until they leave', async () => {
      const { id: appId, teamId } = await inTeam();
      const box = await withMail();
      const bob = await join(fixture, as(owner), teamId!, BOB, 'viewer');
      const { channel } = await add(appId, { kind: 'email', userId: bob });
      await done(fixture.ask(testChannel, { appId, channelId: channel.id }));
      expect(box.mails).toMatchObject([{ to: [BOB] }]);
      await fixture.database.rows('delete from account.members where user_id = $1', [bob]);
      const answer = await fixture.ask(testChannel, { appId, channelId: channel.id });
      expect(answer).toMatchObject({ refusal: { facts: { fault: 'NOT_MEMBER' } } });
    });

    it(`gets one of the ${MAILS_A_DAY} emails that a team sends in a day`, async () => {
      const { id: appId } = await inTeam();
      await withMail();
      const { channel } = await add(appId, { kind: 'email', userId: owner });
      await fixture.database.rows(
        `insert into account.channel_messages (id, app_id, via, kind, body, state, next_at, created_at)
         select gen_random_uuid(), $1, 'email', 'report', '{}', 'sent', $2, $2 from generate_series(1, ${MAILS_A_DAY})`,
        [appId, fixture.parts.now()],
      );
      const test = () => fixture.ask(testChannel, { appId, channelId: channel.id });
      expect(await test()).toMatchObject({ refusal: { facts: { fault: 'TOO_MANY_MAILS' } } });
      fixture.clock.advance({ days: 1 });
      await done(test());
    });
  });

  it('that is removed loses its waiting messages', async () => {
    const { id: appId } = await makeApp(fixture);
    const { channel } = await add(appId, { kind: 'slack', target: 'https://hooks.slack.com/services/x' });
    await queue(fixture, appId, channel.id);
    await done(fixture.ask(removeChannel, { appId, channelId: channel.id }));
    await deliver();
    expect(await messagesOf(appId)).toMatchObject([{ channelId: null, state: 'failed', fault: 'CHANNEL_GONE' }]);
  });
});
