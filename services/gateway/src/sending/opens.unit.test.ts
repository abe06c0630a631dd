import { NoAnswer } from '@landfall/bus';
import { testLogger } from '@landfall/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOpens } from './opens.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('sends an opening again, with its time and id, until the bus has taken it', async () => {
  const sent: unknown[] = [];
  const bus = {
    async tell(_: unknown, data: unknown, { id, now }: { id: string; now: Date }) {
      sent.push([data, id, now.toISOString()]);
      if (sent.length === 1) throw new NoAnswer('silent');
    },
  };
  const facts = { platform: 'ios', country: 'DE', appVersion: '2.0', utm: null, labels: {} } as const;
  const at = new Date('2026-11-23T10:00:00Z');
  const opens = createOpens(bus as never, { address: () => 'address' } as never, testLogger(), () => at);
  opens.tell({ id: '3a50ab1e-a324-46e6-bbf3-a8d2b2555d03', appId: 'app' } as never, {} as never, facts);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]).toEqual([
    { linkId: '3a50ab1e-a324-46e6-bbf3-a8d2b2555d03', appId: 'app', address: 'address', ...facts },
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    '2026-11-23T10:00:00.000Z',
  ]);
});
