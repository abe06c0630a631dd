// A mail server of this machine, which keeps what it gets.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  to: string[];
  /** The message as it came. */
  raw: string;
  /** Its text, decoded. */
  text: string;
}

export interface Mailbox {
  port: number;
  /** All messages, oldest first. */
  mails: Received[];
  /** Connections that were made. */
  readonly connections: number;
  close(): Promise<void>;
}

/** @param options of smtp-server. By default it takes every message, without TLS and without a password. */
export async function startMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect(_, done) {
      connections++;
      done();
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString();
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw, text: textOf(raw) });
        done();
      });
    },
    ...options,
  });
  // A client that refuses our certificate is no fault of a test.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    get connections() {
      return connections;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** Long lines travel as quoted-printable. */
function textOf(raw: string): string {
  const [, head = '', body = ''] = /^([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(raw) ?? [];
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  return body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
