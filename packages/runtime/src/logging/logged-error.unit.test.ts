import { expect, it } from 'vitest';
import { errorText, loggedError } from './logged-error.ts';
import { createLogger } from './logger.ts';

const SECRET = 'a-secret-of-the-driver';

/** Returns an error like those of a connection pool. */
function driverError(message = 'terminating connection due to administrator command'): Error {
  const client = { secretKey: SECRET, connectionParameters: { password: SECRET }, statements: SECRET.repeat(500) };
  const fields = { code: '57P01', detail: `Key (email)=(${SECRET}) already exists.`, where: SECRET, hint: SECRET };
  return Object.assign(new Error(message), fields, { client, toJSON: () => ({ client }) });
}

/** Returns the line that `write` logs. */
function lineOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ service: 'test', level: 'trace' }, { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

it('logs of an error its type, message, code and stack', () => {
  const line = lineOf((log) => log.warn({ err: driverError(), requestId: 'r' }, 'it broke'));
  expect(line).not.toContain(SECRET);
  const { err, requestId, msg } = JSON.parse(line);
  expect({ requestId, msg }).toEqual({ requestId: 'r', msg: 'it broke' });
  expect(Object.keys(err).sort()).toEqual(['code', 'message', 'stack', 'type']);
  expect(err).toMatchObject({ type: 'Error', message: driverError().message, code: '57P01' });
  expect(err.stack).toMatch(/^Error: terminating .*\n {4}at /);
});

it('applies the same rule to causes, to the errors of an AggregateError and of a subclass, and under every name', () => {
  class PoolError extends Error {
    override name = 'error';
    client = SECRET;
  }
  const aggregate = new AggregateError(
    [driverError(), new PoolError('no connection'), SECRET.slice(0, 1)],
    'all failed',
  );
  const outer = Object.assign(new Error('outer', { cause: aggregate }), { request: { headers: SECRET } });
  const line = lineOf((log) => log.error({ reason: outer, err: driverError() }, 'it broke'));
  expect(line).not.toContain(SECRET);
  expect(JSON.parse(line).reason).toMatchObject({
    type: 'Error',
    cause: {
      type: 'AggregateError',
      message: 'all failed',
      errors: [{ code: '57P01' }, { type: 'PoolError', message: 'no connection' }, { type: 'string', message: 'a' }],
    },
  });
  for (const alone of [
    lineOf((log) => log.error(driverError())),
    lineOf((log) => log.child({ instance: 'a' }).error({ err: { code: 1, statement: SECRET } }, 'it broke')),
    JSON.stringify(errorText(outer)),
  ])
    expect(alone).not.toContain(SECRET);
});

it('bounds how long a line can get', () => {
  const deep = (left: number): Error => new Error('x'.repeat(50_000), left > 0 ? { cause: deep(left - 1) } : {});
  const round = new Error('round');
  round.cause = round;
  const many = new AggregateError(Array.from({ length: 1_000 }, () => driverError('y'.repeat(50_000))));
  for (const error of [deep(50), round, many]) expect(JSON.stringify(loggedError(error)).length).toBeLessThan(60_000);
  expect(loggedError(deep(0)).message.length).toBeLessThan(1_010);
});

it('describes what is no error, and what breaks when it is looked at', () => {
  const broken = {
    get message(): string {
      throw new Error(SECRET);
    },
  };
  expect([loggedError('text'), loggedError(undefined), loggedError(null), loggedError(broken)]).toEqual([
    { type: 'string', message: 'text' },
    { type: 'undefined', message: 'undefined' },
    { type: 'object', message: 'object' },
    { type: 'Object', message: '' },
  ]);
  expect(loggedError(7n)).toEqual({ type: 'bigint', message: '7' });
});

it('shows the code of an error to a person, if it has one', () => {
  expect(errorText(driverError('it ended'))).toMatch(/^Error: it ended\n.*\n {2}code: 57P01$/s);
  expect(errorText(new Error('it ended'))).not.toContain('code:');
});
