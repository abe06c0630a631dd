import { expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

it('goes on after a failure, which is logged, and stops when the work that began has ended', async () => {
  const log = { warn: vi.fn() };
  const err = new Error('no connection');
  const third = Promise.withResolvers<void>();
  const work = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(err)
    .mockResolvedValueOnce()
    .mockReturnValue(third.promise);
  const loop = repeat(work, { restMs: 1, log: log as never, failed: 'it was not done' });
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3));
  expect(log.warn.mock.calls).toEqual([[{ err }, 'it was not done']]);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  third.resolve();
  await stopping;
  expect(work).toHaveBeenCalledTimes(3);
});
