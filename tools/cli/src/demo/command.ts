// Demo data: fills an app with made-up events, and removes them again.
import { randomUUID } from 'node:crypto';
import { ClickHouseConfig } from '@landfall/analytics';
import { type DemoOptions, demoEvents } from '@landfall/demo-data';
import { readConfig, StartError } from '@landfall/runtime';
import type { AddCommand } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { findApp, openApi } from '../manage/api.ts';
import { type DemoRepository, demoRepository } from './demo-repository.ts';
import { messageOf, overKafka, type Publish, parts, toAnalytics } from './publish.ts';

const HELP = `
The events are plausible and the same for the same options: three campaigns, invites, growth, weekends, twelve countries and
one link that goes viral. Over Kafka (KAFKA_BROKERS) they are published on the topics, where all readers see them. They belong
to an app, not to its links: use an app that has no other purpose. The command needs DATABASE_URL or LANDFALL_DATA, and the
gateway, as the commands over the management API do.`;

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
    .action((app: string, given: { days: string; clicks: string }) =>
      within(async (demos) => {
        const { id: appId, timeZone } = await findApp(await openApi(env), app);
        const numbers = { days: wholeNumber('--days', given.days), clicks: wholeNumber('--clicks', given.clicks) };
        const options: Stored = { appId, timeZone, until: new Date().toISOString(), ...numbers };
        // Noted first, so that a fill that is interrupted can be removed.
        await demos.add({ id: randomUUID(), options }, appId);
        print(`Added ${await fill(options, demos)} made-up events. Remove them with: demo remove ${app}`);
      }),
    );

  command
    .command('remove')
    .description('Removes all made-up events of an app from its figures.')
    .argument('<app>')
    .action((app: string) =>
      within(async (demos) => {
        const { id: appId } = await findApp(await openApi(env), app);
        const found = await demos.of(appId);
        for (const { id, options } of found) {
          await demos.removeEvents(appId, () =>
            parts(demoEvents(optionsOf(options as Stored))).map((part) =>
              part.map((one) => [one.event, messageOf(one)] as const),
            ),
          );
          await demos.remove(id);
        }
        print(found.length === 0 ? `${app} has no made-up events.` : `Removed the made-up events of ${app}.`);
      }),
    );

  async function fill(options: Stored, demos: DemoRepository): Promise<number> {
    let count = 0;
    const publishAll = async (publish: Publish) => {
      for (const part of parts(demoEvents(optionsOf(options)))) {
        await publish(part);
        count += part.length;
      }
    };
    if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) await overKafka(env, publishAll);
    else await publishAll(toAnalytics(demos));
    return count;
  }

  async function within(act: (demos: DemoRepository) => Promise<void>): Promise<void> {
    const { ANALYTICS_URL } = readConfig(ClickHouseConfig, env);
    const demos = demoRepository(databaseUrlOf(env, NO_DATABASE), ANALYTICS_URL);
    try {
      await act(demos);
    } finally {
      await demos.close();
    }
  }
};

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 1 to 9999999, not "${text}".`);
}
