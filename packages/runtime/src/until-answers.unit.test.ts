import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StartError } from './config/config.ts';
import { untilAnswers } from './until-answers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const away = new Error('connect ECONNREFUSED');

/** A server that is away for the first `failures` questions. */
function server(failures: number, error: unknown = away) {
  const lines: string[] = [];
  let asked = 0;
  const answered = untilAnswers(
    async () => {
      if (asked++ < failures) throw error;
    },
    {
      name: 'Kafka at kafka:9092',
      isAway: (one) => one === away,
      log: { warn: (_fields: object, line: string) => void lines.push(line) },
    },
  );
  answered.catch(() => {});
  return { lines, answered, asked: () => asked };
}

it('asks once when the server answers', async () => {
  const { lines, answered, asked } = server(0);
  await answered;
  expect(asked()).toBe(1);
  expect(lines).toEqual([]);
});

it('waits for a server that comes up, and says so once in ten seconds', async () => {
  const { lines, answered, asked } = server(50);
  await vi.advanceTimersByTimeAsync(25_000);
  await answered;
  expect(asked()).toBe(51);
  expect(lines).toEqual(Array(3).fill('Kafka at kafka:9092 does not answer yet, and the start waits for it'));
});

it('gives up after a minute, with a sentence', async () => {
  const { answered } = server(Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(61_000);
  await expect(answered).rejects.toThrow(StartError);
  await expect(answered).rejects.toThrow('Kafka at kafka:9092 has not answered for 60 s: connect ECONNREFUSED.');
});

it('does not wait for a server that refuses', async () => {
  const { answered, asked } = server(1, new Error('wrong password'));
  await expect(answered).rejects.toThrow('Kafka at kafka:9092 cannot be used: wrong password.');
  expect(asked()).toBe(1);
});

it('takes the reason of a name with several addresses', async () => {
  const { answered } = server(1, new AggregateError([new Error('refused')], ''));
  await expect(answered).rejects.toThrow('cannot be used: refused.');
});
