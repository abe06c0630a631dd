// For the suites of the providers: pushes, the fakes of Google and Apple, and servers that misbehave.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { PushKind, PushMessage } from '@landfall/contracts';
import { parsePushCredentials } from '@landfall/runtime';
import { type ApnsOptions, type Fakes, startFakes, wasTaken } from '@landfall/testkit/push';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { PushOutcome } from '../domain/outcomes.ts';
import * as values from '../values.testing.ts';
import { createApnsProvider } from './apns.ts';
import { createFcmProvider } from './fcm.ts';
import type { Push, PushProvider } from './provider.ts';

export const message: PushMessage = {
  ...values.message,
  title: 'Sale',
  body: 'Half price today',
  destinationPath: '/offers/today?utm_source=push',
  metadata: { color: 'blue' },
  imageUrl: 'https://example.com/a.png',
  sound: 'default',
  badge: 1,
  collapseKey: 'sale',
};

/** Returns a token as long as a real one. For Apple the token is hexadecimal if the name is hexadecimal. */
export const tokenFor = (kind: PushKind, name: string): string =>
  kind === 'fcm' ? name.padEnd(140, 'x') : name.padEnd(64, 'e');

/** Returns a push to the device whose token is made from the name. */
export const pushTo = (kind: PushKind, name = 'a', more: Partial<Push> = {}): Push => ({
  id: '00000000-0000-5000-8000-000000000001',
  notificationId: '00000000-0000-4000-8000-000000000002',
  token: tokenFor(kind, name),
  kind,
  environment: null,
  platform: kind === 'fcm' ? 'android' : 'ios',
  language: null,
  message,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...more,
});

export const countOf = (outcomes: readonly PushOutcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

interface ProviderOptions {
  file?: object;
  port?: number;
  ca?: string;
  timeoutMs?: number;
}

/** Starts the fakes for a suite, and closes the providers after each test. */
export function providerFixture() {
  let fakes: Fakes;
  const open: PushProvider[] = [];
  beforeAll(async () => {
    fakes = await startFakes();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((provider) => provider.close()));
    const plain = { behave: undefined, latencyMs: 0, retryAfterSeconds: undefined, goneSince: undefined, aheadMs: 0 };
    for (const kind of ['fcm', 'apns'] as const) {
      fakes[kind].change(plain as unknown as ApnsOptions);
      fakes[kind].received.clear();
    }
  });
  afterAll(() => fakes.close());

  const fixture = {
    get fakes() {
      return fakes;
    },
    fileOf: (kind: PushKind): object => (kind === 'fcm' ? fakes.fcm.account() : fakes.apns.key()),
    portOf: (kind: PushKind, of = fakes): number => Number(new URL(of[kind].url).port),
    provider(kind: PushKind, options: ProviderOptions = {}): PushProvider {
      const { file = fixture.fileOf(kind), port = fixture.portOf(kind), ca = fakes.ca, timeoutMs = 5_000 } = options;
      const { credentials } = parsePushCredentials(kind, file);
      const server = { connect: { host: '127.0.0.1', port, servername: '', ca }, timeoutMs };
      const provider =
        credentials.kind === 'fcm' ? createFcmProvider(credentials, server) : createApnsProvider(credentials, server);
      open.push(provider);
      return provider;
    },
    /** Sends pushes at once, each to another device. */
    sendMany: (kind: PushKind, provider: PushProvider, count: number, from = 0): Promise<PushOutcome[]> =>
      Promise.all(
        Array.from({ length: count }, (_, i) =>
          provider.send(pushTo(kind, `a${(from + i).toString(16).padStart(8, '0')}`)),
        ),
      ),
    /** The pushes that the fake has taken, and to how many devices. */
    taken(kind: PushKind) {
      const taken = fakes[kind].received.all.filter(wasTaken);
      return { pushes: taken.length, devices: new Set(taken.map(({ token }) => token)).size };
    },
  };
  return fixture;
}

/** Starts a server that does with each connection what the function says. */
export async function listening(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a proxy. `breaks`: whether it breaks a new connection at once. */
export async function between(target: number, breaks = () => false) {
  const passages: Socket[] = [];
  const server = await listening((socket) => {
    if (breaks()) return void socket.destroy();
    const on = connect(target, '127.0.0.1').on('error', () => {});
    passages.push(socket, on);
    on.once('close', () => socket.destroy());
    socket.once('close', () => on.destroy());
    socket.pipe(on).pipe(socket);
  });
  return {
    ...server,
    /** From now on nothing passes on the connections that there are, and neither side is told. */
    fallSilent() {
      for (const socket of passages) socket.unpipe().resume();
    },
  };
}

/** Returns a port on which nobody listens. */
export async function freePort(): Promise<number> {
  const { port, close } = await listening(() => {});
  await close();
  return port;
}
