// Emails to a mail server of this machine, which is sometimes broken.
import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeAuthority, startMailbox, testLogger } from '@landfall/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer, type Mail } from './mailer.ts';
import { MailConfig, type MailSettings, mailOf } from './settings.ts';

const mail: Mail = { id: 'id-1', to: 'ann@example.com', subject: 'Grüße', text: 'Hello\n' };
const FROM = 'Landfall <landfall@example.com>';

const settingsOf = (SMTP_URL: string, MAIL_FROM = FROM): MailSettings =>
  mailOf(MailConfig.parse({ SMTP_URL, MAIL_FROM }))!;

function mailerTo(settings: MailSettings, withinMs?: number) {
  const mailer = createMailer(settings, { host: 'landfall.example', log: testLogger(), ...(withinMs && { withinMs }) });
  onTestFinished(() => mailer.stop());
  return mailer;
}

async function mailbox(options?: Parameters<typeof startMailbox>[0]) {
  const box = await startMailbox(options);
  onTestFinished(() => box.close());
  return box;
}

describe('a mailer', () => {
  it('sends one text to one person, under the id that it was given', async () => {
    const box = await mailbox();
    await mailerTo(settingsOf(`smtp://localhost:${box.port}`)).send(mail);
    expect(box.mails).toMatchObject([{ to: ['ann@example.com'], text: 'Hello\r\n' }]);
    const { raw } = box.mails[0]!;
    expect(raw).toMatch(/^From: Landfall <landfall@example\.com>\r$/m);
    expect(raw).toMatch(/^To: ann@example\.com\r$/m);
    expect(raw).toMatch(/^Message-ID: <id-1@landfall\.example>\r$/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    expect(raw).not.toMatch(/nodemailer/i);
  });

  it.each([
    ['two people', { to: 'ann@example.com, eve@evil.example' }],
    ['a person with a name', { to: 'Ann <ann@example.com>' }],
    ['a header in the address', { to: 'ann@example.com\r\nBcc: eve@evil.example' }],
    ['a header in the subject', { subject: 'Hello\r\nBcc: eve@evil.example' }],
  ])('refuses %s', async (_, part) => {
    const box = await mailbox();
    await expect(mailerTo(settingsOf(`smtp://localhost:${box.port}`)).send({ ...mail, ...part })).rejects.toThrow(
      'the mail server did not take an email',
    );
    expect(box.connections).toBe(0);
  });

  it('says of a refusal the number of the server, and not its text', async () => {
    const box = await mailbox({ onRcptTo: ({ address }, _, done) => done(new Error(`${address} is unknown`)) });
    const sending = mailerTo(settingsOf(`smtp://localhost:${box.port}`)).send(mail);
    await expect(sending).rejects.toThrow(/^the mail server did not take an email: EENVELOPE 550$/);
  });

  it('gives up a server that hangs', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as { port: number };
    await expect(mailerTo(settingsOf(`smtp://localhost:${port}`), 50).send(mail)).rejects.toThrow('ETIMEOUT');
  });

  it('tells a server that is not on this machine nothing without TLS', async () => {
    const box = await mailbox();
    const settings = { ...settingsOf('smtp://mail.example'), host: '127.0.0.1', port: box.port };
    await expect(mailerTo(settings).send(mail)).rejects.toThrow('ETLS');
    expect(box.mails).toEqual([]);
  });

  describe.each([
    ['smtps:', true],
    ['STARTTLS', false],
  ])('by %s', (_, secure) => {
    async function encrypted() {
      const authority = makeAuthority();
      onTestFinished(() => authority.remove());
      const box = await mailbox({ secure, disabledCommands: [], ...authority.certificateFor(['localhost'], 1) });
      const settings = { ...settingsOf('smtps://mail.example'), host: 'localhost', port: box.port, secure };
      return { box, settings, authority };
    }

    it('tells a server with a certificate that nobody vouches for nothing', async () => {
      const { box, settings } = await encrypted();
      await expect(mailerTo(settings).send(mail)).rejects.toThrow('the mail server did not take an email');
      expect(box.mails).toEqual([]);
    });

    it('sends to a server with a good certificate', async () => {
      const { box, settings, authority } = await encrypted();
      const before = getCACertificates();
      onTestFinished(() => setDefaultCACertificates(before));
      setDefaultCACertificates([...before, authority.ca]);
      await mailerTo(settings).send(mail);
      expect(box.mails).toHaveLength(1);
    });
  });

  it('does later what an answer must not wait for, and stops after it', async () => {
    const box = await mailbox();
    const mailer = mailerTo(settingsOf(`smtp://localhost:${box.port}`));
    mailer.later(() => mailer.send(mail));
    mailer.later(() => Promise.reject(new Error('this one fails')));
    expect(box.mails).toEqual([]);
    await mailer.idle();
    expect(box.mails).toHaveLength(1);
  });
});

describe('the settings of the mail server', () => {
  it('come from a URL', () => {
    expect(settingsOf('smtps://ann%40example.com:p%2Fw@mail.example')).toEqual({
      host: 'mail.example',
      port: 465,
      secure: true,
      plain: false,
      auth: { user: 'ann@example.com', pass: 'p/w' },
      from: { name: 'Landfall', address: 'landfall@example.com' },
    });
    expect(settingsOf('smtp://mail.example', 'landfall@example.com')).toMatchObject({
      ...{ port: 587, secure: false, plain: false, auth: undefined },
      from: { name: '', address: 'landfall@example.com' },
    });
    expect(settingsOf('smtp://127.0.0.1:2525')).toMatchObject({ plain: true });
  });

  it.each([
    ['http://mail.example', FROM],
    // nodemailer would take options from it, such as one that trusts every certificate.
    ['smtps://mail.example?tls.rejectUnauthorized=false', FROM],
    ['smtp://mail.example', 'nobody'],
    ['smtp://mail.example', 'a@example.com, b@example.com'],
  ])('%s with %s is refused', (SMTP_URL, MAIL_FROM) => {
    expect(MailConfig.safeParse({ SMTP_URL, MAIL_FROM }).success).toBe(false);
  });

  it('need each other', () => {
    expect(mailOf({})).toBeUndefined();
    expect(() => mailOf({ MAIL_FROM: FROM })).toThrow('SMTP_URL and MAIL_FROM need each other');
  });
});
