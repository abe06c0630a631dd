import { CLIENT_LENGTH } from '@landfall/contracts';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientOf, createClientCalls } from './client-calls.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-28T10:00:00Z') }));
afterEach(() => vi.useRealTimers());

function start() {
  const told: unknown[] = [];
  const tell = async (_: unknown, { client, call }: { client: string; call: string }, { now }: { now: Date }) => {
    told.push(`${client} ${call} ${now.toISOString().slice(17, 23)}`);
  };
  const calls = createClientCalls({ tell } as never, testLogger(), () => new Date());
  const caller = (client: string) => ({ key: { app: { id: 'app' } }, userAgent: client, header: () => undefined });
  return { told, calls, caller };
}

it('tells the latest call of each client and kind, after two seconds', async () => {
  const { told, calls, caller } = start();
  for (const [client, call] of [
    ['a', 'heartbeat'],
    ['a', 'restore'],
    ['b', 'restore'],
    ['a', 'restore'],
  ] as const) {
    await vi.advanceTimersByTimeAsync(100);
    calls.called(caller(client), 'ios', call);
  }
  await vi.advanceTimersByTimeAsync(1_600);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual(['a heartbeat 00.100', 'a restore 00.400', 'b restore 00.300']);
  await vi.advanceTimersByTimeAsync(10_000);
  calls.called(caller('a'), 'ios', 'push');
  await calls.stop();
  expect(told.slice(3)).toEqual(['a push 12.100']);
});

it('tells evidence that comes once, also when a later restore of another install lacks it', async () => {
  const { told, calls, caller } = start();
  const restore = (sent: object) => ({ sent: { clipboard: false, ...sent }, found: 0, matchType: null }) as never;
  calls.called(caller('a'), 'android', 'restore', restore({ installReferrer: true }));
  await vi.advanceTimersByTimeAsync(100);
  calls.called(caller('a'), 'android', 'restore', restore({ installReferrer: false }));
  await calls.stop();
  expect(told).toEqual(['a restore 00.100', 'a installReferrer 00.000']);
});

it('keeps a thousand calls, however many names of clients somebody invents', async () => {
  const { told, calls, caller } = start();
  for (let n = 0; n < 2_000; n++) calls.called(caller(`x${n}`), null, 'restore');
  await calls.stop();
  expect(told).toHaveLength(1_000);
});

it.each([
  ['@landfall/react-native/1.0.0', 'okhttp/4.12.0', '@landfall/react-native/1.0.0'],
  [' my client/2 ', '', 'my client/2'],
  [undefined, 'openlynk-flutter-sdk/0.1.0', 'openlynk-flutter-sdk'],
  [undefined, 'Demo/7 CFNetwork/1494.0.7 Darwin/23.4.0', 'Demo'],
  ['', 'curl/8.5.0', 'curl'],
  ['a\tb', 'curl/8.5.0', 'curl'],
  ['é', 'curl/8.5.0', 'curl'],
  ['x'.repeat(CLIENT_LENGTH + 1), 'x'.repeat(100), 'x'.repeat(CLIENT_LENGTH)],
  [undefined, '', 'unknown'],
  [undefined, '(compatible)', '(compatible)'],
])('of %j and the user agent %j makes %j', (given, userAgent, client) => {
  expect(clientOf(given, userAgent)).toBe(client);
});
