import { randomUUID } from 'node:crypto';
import type { Database } from '@landfall/db';
import { testLogger } from '@landfall/testkit';
import { expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import { APP, eachWithQueue, opener, START, scripted, storeNotification, storeProvider } from './queue.testing.ts';
import { defaultSettings } from './settings.ts';

let database: Database;
eachWithQueue((queue) => {
  database = queue.database;
});

async function storeQueued(): Promise<void> {
  await storeProvider(database);
  await database.rows(
    `insert into push.deliveries (id, notification_id, app_id, device_id, kind, next_at) values ($1, $2, $3, $4, 'fcm', $5)`,
    [randomUUID(), await storeNotification(database), APP, randomUUID(), START],
  );
}

it('a lane that begins to rest during a look is opened by the next look, and not by this one', async () => {
  await storeQueued();
  const { provider } = scripted();
  const rested: Lane[] = [];
  const lanes = createLanes({
    database,
    log: testLogger(),
    providers: { get: () => provider, without: () => null },
    sealer: {
      // The look has read the queue, and reads the credentials.
      open(purpose, sealed) {
        const lane = lanes.find({ appId: APP, kind: 'fcm' })!;
        const written = lanes.rest(lane);
        written();
        rested.push(lane);
        return opener.open(purpose, sealed);
      },
    },
    now: () => START,
    settings: defaultSettings,
    stopped: () => false,
    shut: () => {},
  });
  await lanes.look();
  expect(rested).toMatchObject([{ shut: true, more: false }]);
  await lanes.look();
  expect(rested).toMatchObject([{ shut: false, more: true }]);
});
