// Reads the command line.
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@landfall/stack';
import { CONNECTIONS } from './load/load.ts';

export const help = `Measures how fast Landfall answers, as a share of what a bare Express server answers in the same run:
one server process, ${CONNECTIONS} connections, PostgreSQL durable, limits on.

  npm run bench -- [options]

  --only NAMES      only these scenarios, comma-separated: get-by-slug, open-link, create, tap,
                    heartbeat, register, opened, restore-few, restore-many, restore-known, restore-found, restore-crowd,
                    or restore for all of its kind
  --stack           the scaled-out product, each service a process of its own, over Kafka and Redis;
                    scenarios get-by-slug, create, create-16, tap, after 45 s for the broker to get warm
  --processes LIST  with --stack: several processes of a service, e.g. gateway=2,attribution=4
  --push            instead: one push to many devices, through servers that fail as Google's and Apple's may:
                    how fast, and whether each got it once
  --devices N       how many (100000)
  --latency N       how long Google and Apple take to answer, in milliseconds (40)
  --through NAMES   who has the devices: fcm, apns, or fcm,apns, half of them each (fcm,apns)
  --kill            the product is killed meanwhile, and started again
  --seconds N       how long each is measured, after 2 s of warm-up (5)
  --pending N       pending links, devices and contacts where there are many (1000000)
  --against FOLDER  instead: this checkout and the one in FOLDER side by side, and the ratio of the two
  --rounds N        with --against: how often both are started and measured (10)
  --wrk             the same requests, sent by wrk (which must be installed): a generator that is not ours
  --profile FOLDER  write a CPU profile of the product's process there
  --help            show this

The exit code is 1 when a target is missed or an answer is wrong.`;

/** Reads the options. Throws an error with a one-sentence message when an option is wrong. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      stack: { type: 'boolean', default: false },
      processes: { type: 'string', default: '' },
      push: { type: 'boolean', default: false },
      devices: { type: 'string', default: '100000' },
      latency: { type: 'string', default: '40' },
      through: { type: 'string', default: 'fcm,apns' },
      kill: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      pending: { type: 'string', default: '1000000' },
      against: { type: 'string' },
      rounds: { type: 'string', default: '10' },
      wrk: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  if (values.against !== undefined && (values.push || values.wrk))
    throw new Error('--against compares answers to apps and taps, under our own load: leave out --push and --wrk.');
  return {
    ...values,
    only: values.only.split(',').filter(Boolean),
    processes: processes(values.processes),
    devices: number('--devices', values.devices, 1_000, 10_000_000),
    latency: number('--latency', values.latency, 0, 5_000),
    through: kinds(values.through),
    seconds: number('--seconds', values.seconds, 1, 600),
    pending: number('--pending', values.pending, 1_000, 100_000_000),
    rounds: number('--rounds', values.rounds, 1, 1_000),
  };
}
export type Options = ReturnType<typeof readOptions>;

function processes(text: string): Partial<Record<ServiceName, number>> {
  const wrong = new Error('--processes must be like gateway=2,attribution=4.');
  return Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((one) => {
        const [name = '', count = ''] = one.split('=');
        if (!serviceNames.some((known) => known === name)) throw wrong;
        return [name, number('--processes', count, 1, 16)];
      }),
  );
}

function kinds(text: string): readonly string[] {
  const all = text.split(',');
  if (!all.every((kind) => kind === 'fcm' || kind === 'apns'))
    throw new Error('--through must be fcm, apns, or fcm,apns.');
  return all;
}

function number(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!(value >= min && value <= max)) throw new Error(`${name} must be a number from ${min} to ${max}.`);
  return value;
}
