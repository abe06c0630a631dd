// Team creation and default plans, in an installation with separate settings for the account service.
import { randomUUID } from 'node:crypto';
import { peopleOf, type Received, startSystem, type TestPerson } from '@landfall/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { expectError, post } from '../calls.ts';

async function ok(answering: Promise<Received>): Promise<Received> {
  const answer = await answering;
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

it('lets owners of the installation alone make teams, and gives apps the default plan', async () => {
  const system = await startSystem({ TEAM_CREATION: 'instance-owner', DEFAULT_PLAN: 'free=1' });
  onTestFinished(() => system.stop());
  const { setUp, join } = peopleOf(system);
  const ada = await setUp();
  const make = (by: TestPerson) => by.send(post('/api/manage/teams', { name: 'Lemons' }));
  for (const role of ['viewer', 'owner'] as const)
    expectError(await make(await join(ada, ada.teamId, role)), 403, 'FORBIDDEN');
  await ok(make(ada));
  const app = { name: 'Shop', subdomain: `d${randomUUID().slice(0, 8)}`, teamId: ada.teamId };
  const made = await ok(ada.send(post('/api/manage/apps', app)));
  expect(made.json.app.plan).toEqual({ name: 'free', linksPerMonth: 1 });
});
