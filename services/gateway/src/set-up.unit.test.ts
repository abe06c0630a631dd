import { createInProcessBus, each, NoAnswer } from '@landfall/bus';
import { OfferSetUp } from '@landfall/contracts';
import { createLogger } from '@landfall/runtime';
import { afterEach, expect, it } from 'vitest';
import { sha256 } from './hashes.ts';
import { keepOfferingSetUp } from './set-up.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Returns a bus with an account service that needs a first owner, or has one. */
async function busThat(needed: boolean) {
  const bus = createInProcessBus({ log });
  const offered: string[] = [];
  bus.answer(
    OfferSetUp,
    each(async ({ codeHash }) => {
      offered.push(codeHash);
      return { reply: { needed } };
    }),
  );
  await bus.start();
  stops.push(() => bus.stop());
  return { bus, offered };
}

const withPages = { publicUrl: 'https://api.example', hasPages: true };
const withoutPages = { ...withPages, hasPages: false };

it.each([
  [
    'the address of its page, with the code in the fragment',
    withPages,
    /^ {2}https:\/\/api\.example\/setup#([\w-]{43})$/m,
  ],
  ['a call, where no page is served', withoutPages, /"code":"([\w-]{43})"/],
])('prints %s', async (_, place, shape) => {
  const { bus, offered } = await busThat(true);
  const said = await new Promise<string>((resolve) => {
    const { stop } = keepOfferingSetUp(bus, place, log, resolve);
    stops.push(stop);
  });
  const [, code = ''] = shape.exec(said) ?? [];
  // The code whose hash was offered, and no other.
  expect(offered).toEqual([sha256(code)]);
  expect(said.split(code)).toHaveLength(2);
  expect(said.includes('/setup')).toBe(place.hasPages);
  expect(said.includes("curl -X POST https://api.example/api/manage/set-up -H 'x-landfall: 1'")).toBe(!place.hasPages);
});

it('prints nothing when there is an owner', async () => {
  const { bus } = await busThat(false);
  const said: string[] = [];
  const { stop } = keepOfferingSetUp(bus, withPages, log, (line) => said.push(line));
  await bus.idle();
  await stop();
  expect(said).toEqual([]);
});

it('retries while nobody answers, and ends when it is stopped', async () => {
  const { bus } = await busThat(true);
  let asks = 0;
  const silent = {
    ...bus,
    ask(...asked: Parameters<typeof bus.ask>) {
      asks++;
      return asks === 1 ? Promise.reject(new NoAnswer('account')) : bus.ask(...asked);
    },
  } as typeof bus;
  await new Promise<string>((resolve) => stops.push(keepOfferingSetUp(silent, withPages, log, resolve).stop));
  expect(asks).toBe(2);
  asks = 0;
  const { stop } = keepOfferingSetUp(silent, withPages, log, () => {});
  await stop();
  expect(asks).toBe(1);
});
