// Runs `npm run landfall -- dlq` as an operator does. The operator finds a dead letter, looks at it and replays it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createKafkaBus, type KafkaBus } from '@landfall/bus/kafka';
import { openSettling } from '@landfall/bus/settled';
import { event } from '@landfall/contracts';
import { systemEnv } from '@landfall/local';
import { KafkaConfig, kafkaOptions, readConfig } from '@landfall/runtime';
import { describeWithKafka } from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const MAIN = path.resolve(import.meta.dirname, '../../../tools/cli/src/main.ts');
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const Sung = event({
  name: 'Sung',
  description: 'For tests.',
  audience: 'internal',
  producer: 'test',
  topic: 'song.sung',
  data: z.object({ song: z.string(), sealed: z.string() }),
  key: ({ song }) => song,
});

describeWithKafka('dlq', (brokers) => {
  const env = { KAFKA_BROKERS: brokers.join(), KAFKA_PREFIX: `dlq-${randomUUID().slice(0, 8)}.` };
  const { connection, prefix, ...options } = kafkaOptions(readConfig(KafkaConfig, env));
  const settling = openSettling(connection, quiet, prefix);
  const id = randomUUID();
  const heard: string[] = [];
  let broken = true;
  let bus: KafkaBus;
  beforeAll(async () => {
    bus = createKafkaBus({
      service: 'songs',
      ...options,
      connection,
      prefix,
      log: quiet,
      onFatal(error) {
        throw error;
      },
    });
    bus.listen('singers', Sung, async (batch) => {
      if (broken) throw new Error('no voice');
      heard.push(...batch.map(({ context }) => context.id));
    });
    await bus.start();
    await bus.tell(Sung, { song: 'la', sealed: 'v1.AAAA' }, { id });
    await settling.settled();
  });
  afterAll(async () => {
    await bus?.stop();
    await settling.close();
  });

  async function dlq(...args: string[]) {
    const child = spawn(process.execPath, [MAIN, 'dlq', ...args], { env: { ...systemEnv(), ...env } });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, ...said };
  }

  it('lists it, shows it as it lies, and replays it to its group alone', async () => {
    const listed = await dlq('list', '--json');
    expect(listed).toMatchObject({ code: 0, err: '' });
    const letters = JSON.parse(listed.out);
    expect(letters).toMatchObject([
      { group: 'singers', message: 'Sung', messageId: id, attempts: 3, reason: 'Error: no voice', replayed: false },
    ]);
    const [{ place }] = letters;
    expect((await dlq('list')).out).toMatch(
      new RegExp(`\nsingers  ${place} +.*  Sung +${id}  3 +no +no +Error: no voice`),
    );

    const shown = await dlq('show', 'singers', place);
    expect(shown.out).toMatch(/found first +dlq-\w+\.song\.sung, partition \d, offset 0/);
    expect(shown.out).toContain('"sealed": "v1.AAAA"');
    expect(shown.out).toContain(id);

    broken = false;
    expect(await dlq('replay', 'singers', '--all')).toEqual({
      code: 0,
      out: '1 message goes to singers again.\n',
      err: '',
    });
    await settling.settled();
    expect(heard).toEqual([id]);
    expect((await dlq('list', 'singers')).out).toBe(
      'No dead letters.\n1 more was replayed or dropped: --all shows it, too.\n',
    );
    expect((await dlq('replay', 'singers', '--all')).out).toBe('0 messages go to singers again.\n');
    // A command that names the dead letter replays it again.
    expect((await dlq('replay', 'singers', place)).out).toBe('1 message goes to singers again.\n');
    await settling.settled();
    expect(heard).toEqual([id, id]);
  });

  it('drops a letter that can never be replayed, once, and lists it with --all only', async () => {
    broken = true;
    await bus.tell(Sung, { song: 'lo', sealed: '' });
    await settling.settled();
    const [{ place }] = JSON.parse((await dlq('list', 'singers', '--json')).out);
    const dropped = await dlq('drop', 'singers', place);
    expect(dropped).toMatchObject({ code: 0, err: '' });
    expect(dropped.out).toMatch(
      new RegExp(`^Dropped 1 dead letter of singers:\nGROUP.*\nsingers  ${place} .* no +yes +Error: no voice\n$`),
    );
    expect((await dlq('drop', 'singers', place)).out).toBe('Dropped 0 dead letters of singers.\n');
    expect((await dlq('drop', 'singers', '--all')).out).toBe('Dropped 0 dead letters of singers.\n');
    expect((await dlq('list')).out).toBe('No dead letters.\n2 more were replayed or dropped: --all shows them, too.\n');
    expect(JSON.parse((await dlq('list', '--all', '--json')).out)).toMatchObject([
      { replayed: true, dropped: false },
      { place, replayed: false, dropped: true },
    ]);
  });

  it.each([
    [['list', 'none'], 'There is no group none with dead letters: there is singers.\n'],
    [
      ['show', 'singers', '0:99'],
      'There is no letter at 0:99 of singers: dlq list singers --all shows where they are.\n',
    ],
    [
      ['replay', 'singers', '0:99'],
      'There is no letter at 0:99 of singers: dlq list singers --all shows where they are.\n',
    ],
  ])('ends with one sentence for %o', async (args, sentence) => {
    expect(await dlq(...args)).toEqual({ code: 1, out: '', err: sentence });
  });
});
