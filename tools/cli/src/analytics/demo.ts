import { randomUUID } from 'node:crypto';
import { ClickHouseConfig } from '@landfall/analytics';
import { createKafkaBus, noLog } from '@landfall/bus/kafka';
import { type DemoEvent, type DemoOptions, demoEvents } from '@landfall/demo-data';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { type AddCommand, whileOpen } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { type Api, findApp, got, openApi, urlOf } from '../manage/api.ts';
import { type AnalyticsRepository, analyticsRepository } from './analytics-repository.ts';
import { linksIn } from './demo-links.ts';
import { messageOf, parts } from './demo-messages.ts';
import { decider, rowsOf } from './demo-past.ts';
import { playPhones } from './demo-phones.ts';

const HELP = `
The events are plausible and the same for the same options: three campaigns, invites, growth, weekends, twelve countries and
one link that goes viral. Their links are in the list of the app. The taps, devices and restores of the
last 30 days are stored, too. Over Kafka (KAFKA_BROKERS) the events are published on the topics, where all readers see them:
use an app that has no other purpose. The command needs DATABASE_URL or LANDFALL_DATA, and the gateway, as the commands over
the management API do.`;

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
    .option('--no-phones', 'without two dozen phones that call the gateway, and stay when the events are removed')
    .action((app: string, given: { days: string; clicks: string; phones: boolean }) =>
      within(async (analytics) => {
        const api = await openApi(env);
        const found = await findApp(api, app);
        const { id: appId, timeZone } = found;
        const numbers = { days: wholeNumber('--days', given.days), clicks: wholeNumber('--clicks', given.clicks) };
        const options: Stored = { appId, timeZone, until: new Date().toISOString(), ...numbers };
        // Noted first, so that a fill that is interrupted can be removed.
        await analytics.demos.add({ id: randomUUID(), options }, appId);
        const { events, slugs } = await fill(options, await makerIn(api, found.teamId), analytics);
        // Else the page of analytics warns that the days of the demo lack events.
        await analytics.completeFromFacts();
        if (given.phones) await playPhones(api, urlOf(env), found, slugs);
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
        for (const { id, options: stored } of found) {
          const options = optionsOf(stored as Stored);
          const batches = () =>
            parts(demoEvents(options)).map((part) => part.map((one) => [one.event, messageOf(one)] as const));
          await analytics.removeEvents(appId, batches, ANALYTICS_URL);
          for (const part of parts(demoEvents(options))) {
            await analytics.past.remove(appId, rowsOf(part));
            await analytics.links.remove(
              appId,
              linksIn(part, null).map(({ id }) => id),
            );
          }
          await analytics.demos.remove(id);
        }
        print(found.length === 0 ? `${app} has no made-up events.` : `Removed the made-up events of ${app}.`);
      }),
    );

  /** Returns the number of events, and the slugs of the links that people made. */
  async function fill(stored: Stored, maker: string | null, analytics: AnalyticsRepository) {
    const options = optionsOf(stored);
    const decide = decider(analytics.past, options.until);
    const slugs: string[] = [];
    let count = 0;
    const publishAll = async (publish: Publish) => {
      for (const part of parts(demoEvents(options))) {
        const links = linksIn(part, maker);
        slugs.push(...links.filter(({ name }) => name !== null).map(({ slug }) => slug));
        await analytics.links.add(links);
        // Before Kafka has them: an opening that comes first would close its tap. A tap that comes twice is one row.
        const events = await decide(part);
        await publish(events);
        count += events.length;
      }
    };
    if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) await overKafka(env, publishAll);
    else await publishAll(toAnalytics(analytics));
    return { events: count, slugs };
  }

  const within = (act: (analytics: AnalyticsRepository) => Promise<void>) =>
    whileOpen(analyticsRepository(databaseUrlOf(env, NO_DATABASE)), act);
};

/** Returns a member of the team who may make links. Null: nobody may. */
async function makerIn(api: Api, teamId: string | null): Promise<string | null> {
  if (teamId === null) return null;
  const path = { teamId };
  const { members } = await got(api.GET('/api/manage/teams/{teamId}/members', { params: { path } }));
  return members.find(({ role }) => role !== 'viewer')?.userId ?? null;
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 1 to 9999999, not "${text}".`);
}

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
