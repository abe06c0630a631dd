import { randomUUID } from 'node:crypto';
import { ClickHouseConfig } from '@landfall/analytics';
import { type Message, uuid5 } from '@landfall/bus';
import { createKafkaBus, noLog } from '@landfall/bus/kafka';
import { type DemoEvent, type DemoOptions, demoEvents } from '@landfall/demo-data';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { type AddCommand, whileOpen } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { findApp, openApi, urlOf } from '../manage/api.ts';
import { type AnalyticsRepository, analyticsRepository } from './analytics-repository.ts';
import { linksIn } from './demo-links.ts';
import { playPhones } from './demo-phones.ts';

const HELP = `
The events are plausible and the same for the same options: three campaigns, invites, growth, weekends, twelve countries and
one link that goes viral. Their links are in the list of the app. Over Kafka (KAFKA_BROKERS) the events are published on the
topics, where all readers see them: use an app that has no other purpose. The command needs DATABASE_URL or LANDFALL_DATA, and
the gateway, as the commands over the management API do.`;

const NO_DATABASE = 'There is no database to fill: set DATABASE_URL';

interface Stored extends Omit<DemoOptions, 'until'> {
  until: string;
}
const optionsOf = ({ until, ...options }: Stored): DemoOptions => ({ ...options, until: new Date(until) });

export const addDemo: AddCommand = (program, { env, print }) => {
  const command = program
    .command('demo')
    .description('Fill an app with made-up events, and remove them.')
    .helpCommand(false)
    .addHelpText('after', HELP);

  command
    .command('fill')
    .description('Adds made-up events up to now.')
    .argument('<app>')
    .option('--days <number>', 'how many days', '90')
    .option('--clicks <number>', 'how many clicks', '60000')
    .option('--no-phones', 'without a few phones that call the gateway, and stay when the events are removed')
    .action((app: string, given: { days: string; clicks: string; phones: boolean }) =>
      within(async (analytics) => {
        const api = await openApi(env);
        const found = await findApp(api, app);
        const { id: appId, timeZone } = found;
        const numbers = { days: wholeNumber('--days', given.days), clicks: wholeNumber('--clicks', given.clicks) };
        const options: Stored = { appId, timeZone, until: new Date().toISOString(), ...numbers };
        // Noted first, so that a fill that is interrupted can be removed.
        await analytics.demos.add({ id: randomUUID(), options }, appId);
        const events = await fill(options, analytics);
        // Else the page of analytics warns that the days of the demo lack events.
        await analytics.completeFromFacts();
        if (given.phones) await playPhones(api, urlOf(env), found);
        print(`Added ${events} made-up events and their links. Remove them with: demo remove ${app}`);
      }),
    );

  command
    .command('remove')
    .description('Removes all made-up events of an app from its figures.')
    .argument('<app>')
    .action((app: string) =>
      within(async (analytics) => {
        const { id: appId } = await findApp(await openApi(env), app);
        const found = await analytics.demos.of(appId);
        const { ANALYTICS_URL } = readConfig(ClickHouseConfig, env);
        for (const { id, options } of found) {
          const batches = () =>
            parts(demoEvents(optionsOf(options as Stored))).map((part) =>
              part.map((one) => [one.event, messageOf(one)] as const),
            );
          await analytics.removeEvents(appId, batches, ANALYTICS_URL);
          for (const part of parts(demoEvents(optionsOf(options as Stored))))
            await analytics.links.remove(
              appId,
              linksIn(part).map(({ id }) => id),
            );
          await analytics.demos.remove(id);
        }
        print(found.length === 0 ? `${app} has no made-up events.` : `Removed the made-up events of ${app}.`);
      }),
    );

  async function fill(options: Stored, analytics: AnalyticsRepository): Promise<number> {
    let count = 0;
    const publishAll = async (publish: Publish) => {
      for (const part of parts(demoEvents(optionsOf(options)))) {
        await analytics.links.add(linksIn(part));
        await publish(part);
        count += part.length;
      }
    };
    if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) await overKafka(env, publishAll);
    else await publishAll(toAnalytics(analytics));
    return count;
  }

  const within = (act: (analytics: AnalyticsRepository) => Promise<void>) =>
    whileOpen(analyticsRepository(databaseUrlOf(env, NO_DATABASE)), act);
};

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 1 to 9999999, not "${text}".`);
}

const AT_ONCE = 1_000;

type Publish = (events: readonly DemoEvent[]) => Promise<void>;

async function overKafka(env: NodeJS.ProcessEnv, run: (publish: Publish) => Promise<void>): Promise<void> {
  const bus = createKafkaBus({
    service: 'demo',
    ...kafkaOptions(readConfig(KafkaConfig, env)),
    instance: `demo-${randomUUID()}`,
    log: noLog,
    onFatal(error) {
      throw error;
    },
  });
  await bus.start();
  try {
    await run(async (events) => {
      await Promise.all(events.map(({ event, id, now, data }) => bus.tell(event, data as never, { id, now })));
    });
  } finally {
    await bus.stop();
  }
}

/** In one process nothing else reads events. */
const toAnalytics =
  ({ countings }: AnalyticsRepository): Publish =>
  async (events) => {
    for (const [name, same] of Map.groupBy(events, ({ event }) => event.name))
      await countings.find(({ event }) => event.name === name)?.listener(same.map(messageOf));
  };

function messageOf({ id, now, data }: DemoEvent): Message<never> {
  const context = { id, now, idFor: (name: string) => uuid5(id, name), expired: () => false };
  return { data, context } as unknown as Message<never>;
}

function* parts(events: Iterable<DemoEvent>): Generator<DemoEvent[]> {
  let part: DemoEvent[] = [];
  for (const event of events) {
    part.push(event);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
