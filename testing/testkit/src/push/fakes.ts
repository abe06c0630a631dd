// Both fakes, with certificates that their senders can trust: in this process, or in one of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { makeAuthority } from '../certificates.ts';
import type { BehaviourOptions } from './behaviour.ts';
import {
  type ApnsMessage,
  type ApnsOptions,
  type FakeApns,
  type StartApnsOptions,
  startFakeApns,
} from './fake-apns.ts';
import type { AppleKeyFile, ServiceAccountFile } from './fake-credentials.ts';
import { type FakeFcm, type FcmMessage, type StartFcmOptions, startFakeFcm } from './fake-fcm.ts';
import type { GoAway } from './lines.ts';
import type { Seen } from './received.ts';

export interface FakesOptions {
  fcm?: StartFcmOptions;
  apns?: StartApnsOptions;
}

export interface Fakes {
  readonly fcm: FakeFcm;
  readonly apns: FakeApns;
  /** The authorities of their certificates, as PEM. */
  readonly ca: string;
  close(): Promise<void>;
}

export async function startFakes(options: FakesOptions = {}): Promise<Fakes> {
  const authority = makeAuthority();
  try {
    const certificate = authority.certificateFor(['127.0.0.1', 'localhost'], 30);
    const fcm = await startFakeFcm(certificate, options.fcm);
    const apns = await startFakeApns(certificate, options.apns);
    return {
      fcm,
      apns,
      ca: authority.ca,
      async close() {
        await Promise.all([fcm.close(), apns.close()]);
      },
    };
  } finally {
    authority.remove();
  }
}

/** The output of `fakes-main.ts` when it is ready. */
export interface FakesLine {
  fcmUrl: string;
  apnsUrl: string;
  /** A file, as `PUSH_CA_FILE` wants it. */
  caFile: string;
  ca: string;
  /** Plain HTTP, on this machine: to look and to change. */
  controlUrl: string;
  serviceAccount: ServiceAccountFile;
  appleKey: AppleKeyFile;
}

/** Questions to the fakes that run elsewhere. */
export interface FakesCounts {
  fcm: Record<string, number>;
  apns: Record<string, number>;
  asked: { fcm: number; apns: number };
  mints: number;
}

/** Fakes of another process. */
export interface FakesElsewhere extends FakesLine {
  counts(): Promise<FakesCounts>;
  received(kind: 'fcm' | 'apns'): Promise<Seen[]>;
  /** The last message to a token, as it came; undefined when there was none. */
  messageTo(kind: 'fcm', token: string): Promise<FcmMessage | undefined>;
  messageTo(kind: 'apns', token: string): Promise<ApnsMessage | undefined>;
  /** Credentials that Firebase takes. */
  newServiceAccount(): Promise<ServiceAccountFile>;
  /** Credentials that Apple takes. */
  newAppleKey(): Promise<AppleKeyFile>;
  /** From now on Apple takes none of the keys that it gave. */
  forgetAppleKeys(): Promise<void>;
  /** From now on Firebase takes none of the access tokens that it gave, and none of the next ones, so many. */
  spoilTokens(count: number): Promise<void>;
  clear(): Promise<void>;
  change(options: { fcm?: BehaviourOptions; apns?: ApnsOptions }): Promise<void>;
  /** Of both. */
  goAway(how?: GoAway): Promise<void>;
}

export interface FakesApart extends FakesElsewhere {
  close(): Promise<void>;
}

/** In a process of their own: whoever measures a sender measures it alone. */
export async function startFakesApart(options: FakesOptions = {}): Promise<FakesApart> {
  const main = path.join(import.meta.dirname, 'fakes-main.ts');
  const child = spawn(process.execPath, [main, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    ...reachFakes(await firstLine(child)),
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

/** Those that another process has started. */
export function reachFakes(line: FakesLine): FakesElsewhere {
  // biome-ignore lint/suspicious/noExplicitAny: fakes-main.ts answers each with what is said here
  const ask = async (what: string, body: object = {}): Promise<any> => {
    const response = await fetch(`${line.controlUrl}/${what}`, { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };
  return {
    ...line,
    counts: () => ask('counts'),
    received: (kind) => ask(`received/${kind}`),
    messageTo: async (kind: 'fcm' | 'apns', token: string) => (await ask(`message/${kind}`, { token })).message,
    newServiceAccount: () => ask('service-account'),
    newAppleKey: () => ask('apple-key'),
    forgetAppleKeys: () => ask('forget-apple-keys'),
    spoilTokens: (count) => ask('spoil-tokens', { count }),
    clear: () => ask('clear'),
    change: (change) => ask('change', change),
    goAway: (how = 'graceful') => ask('goaway', { how }),
  };
}

async function firstLine(child: ChildProcess): Promise<FakesLine> {
  const lines = createInterface({ input: child.stdout! });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the fakes ended before they were there');
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  return JSON.parse(line as string);
}
