import { describe, expect, it } from 'vitest';
import type { Said } from '../finding.ts';
import { brokersFindings, groupsFindings, lettersFinding, topicsFindings } from './check-kafka.ts';

const said = (findings: readonly Said[]) => findings.map(({ state, says }) => `${state} ${says}`);

it('names each broker that is away, and tells one from all of them', () => {
  const here = { address: 'a:9092' };
  const away = { address: 'b:9092', fault: 'connect ECONNREFUSED' };
  expect(said(brokersFindings([here]))).toEqual(['ok a:9092 answers']);
  expect(brokersFindings([here, away])).toMatchObject([
    { state: 'fail', remedy: expect.stringContaining('advertised.listeners') },
  ]);
  expect(brokersFindings([away])).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('KAFKA_BROKERS') }]);
});

describe('topics', () => {
  const topics = (more: Partial<Parameters<typeof topicsFindings>[0]>) =>
    said(topicsFindings({ count: 9, findings: [], troubles: [], ...more }));
  const trouble = (what: 'writes' | 'copies', partition: number) => ({ topic: 'link.clicked', partition, what });

  it('say what cannot be read or written, and what is at risk', () => {
    expect(topics({})).toEqual(['ok all 9 are there as the settings say, with every copy in sync']);
    expect(topics({ troubles: [trouble('copies', 0), trouble('writes', 1), trouble('writes', 2)] })).toEqual([
      'fail 2 partitions (link.clicked/1, link.clicked/2) with fewer copies in sync than min.insync.replicas: nothing is written there',
      'warn 1 partition (link.clicked/0) with a copy that is not in sync: one more broker that ends may stop or lose them',
    ]);
    expect(topics({ troubles: [{ what: 'leader' }] })).toEqual([
      expect.stringMatching(/^fail a partition has no leader/),
    ]);
  });

  it('fold the same difference of many, and fail where messages are lost', () => {
    const fewer = 'a, b: 1 partition, KAFKA_PARTITIONS says 3';
    const difference = (topic: string, what: 'partitions' | 'cleanup', finding: string) => ({ topic, what, finding });
    expect(
      topics({
        findings: [
          difference('a', 'partitions', '1 partition, KAFKA_PARTITIONS says 3'),
          difference('b', 'partitions', '1 partition, KAFKA_PARTITIONS says 3'),
          difference('landfall.replies', 'partitions', '3 partitions, 16 are needed'),
          difference('link.commands', 'cleanup', 'cleanup.policy=compact instead of delete'),
        ],
      }),
    ).toEqual([
      `warn ${fewer}`,
      'fail landfall.replies: 3 partitions, 16 are needed',
      'fail link.commands: cleanup.policy=compact instead of delete',
    ]);
  });
});

describe('groups', () => {
  const group = (name: string, more: object = {}) => ({ group: name, members: 1, lag: 0, waitedMs: 0, ...more });

  it('are fine while they are not long behind', () => {
    expect(said(groupsFindings([group('link.commands'), group('attribution', { lag: 3 })]))).toEqual([
      'ok all 2 have members; 3 messages wait, none for a minute',
    ]);
  });

  it('without members are a service that does not run', () => {
    const idle = { members: 0, lag: 2 };
    expect(said(groupsFindings([group('link.commands', idle), group('link.queries', idle), group('account')]))).toEqual(
      ['fail nobody reads link.commands, link.queries: no link worker runs; 4 messages wait'],
    );
  });

  it('that are behind say for how long', () => {
    expect(
      said(
        groupsFindings([
          group('attribution', { lag: 1, waitedMs: 60_000 }),
          group('account', { lag: 9, waitedMs: 3_600_000 }),
        ]),
      ),
    ).toEqual([
      'warn attribution is behind: 1 message waits, the oldest for more than 1 minute (1 member)',
      'fail account is behind: 9 messages wait, the oldest for more than 1 hour (1 member)',
    ]);
  });
});

it('dead letters point to the command that shows them', () => {
  expect(lettersFinding([{ group: 'a', count: 0 }], true)).toMatchObject({ state: 'ok', says: 'none that waits' });
  const letters = ['a', 'b'].map((group, i) => ({ group, count: 2 - i }));
  const found = lettersFinding(letters, true);
  expect(found).toMatchObject({ state: 'warn', says: 'given up on: 2 by a, 1 by b' });
  expect(found.remedy).toMatch(/dlq list .* dlq replay .* dlq drop/);
  expect(lettersFinding(letters, false).remedy).toMatch(/dlq list .* in the web app.* dlq drop/);
});
