// Checks whether matching by address is stricter at the moment. It is stricter while an update may reach users who
// already had the app.
import { DescribeRollout } from '@landfall/contracts';
import type { z } from 'zod';
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import { jsonOf } from '../facts/get.ts';
import { bearer, type KnownApp } from '../facts/site.ts';
import { counted, type Finding, ok, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

/** The number of newest apps that are checked. */
const MAX_APPS = 20;

export const matchingCheck: Check<Facts> = {
  name: 'matching',
  withinMs: SITE_MS + 2_500,
  async run({ site, get, setup }) {
    const looked = await site();
    const door = looked?.doors.find(({ view }) => view);
    if (!door) return [skipped('matching', 'it is not known which apps there are')];
    const apps = (looked!.apps ?? []).filter(mayHaveUsers).slice(0, MAX_APPS);
    const states = await Promise.all(
      apps.map(async (app) => {
        const got = await get(`${door.url}/api/manage/apps/${app.id}/matching`, bearer(setup));
        const parsed = DescribeRollout.reply.safeParse(jsonOf(got));
        return { app, state: parsed.success ? parsed.data : null };
      }),
    );
    return matchingFindings(states);
  },
};

const mayHaveUsers = ({ id, matching }: KnownApp): boolean =>
  id !== undefined && matching.existingUsers && matching.windowMinutes > 0;

interface AppState {
  app: Pick<KnownApp, 'name'>;
  /** Null when the gateway does not give the state. */
  state: z.output<typeof DescribeRollout.reply> | null;
}

export function matchingFindings(all: readonly AppState[]): Finding[] {
  const silent = all.filter(({ state }) => state === null);
  if (silent.length > 0) return [skipped('matching', `the gateway does not say it of ${namesOf(silent)}`)];
  // If no device has started the app, it has no older users.
  const careful = all.filter(({ state }) => state!.rollout !== null && state!.devices.seen > 0);
  if (careful.length === 0) return [ok('matching', 'phones that look new are taken for new in all apps')];
  const facts = { apps: Object.fromEntries(careful.map(({ app, state }) => [app.name, state!])) };
  const says = `matching by address finds less in ${some(careful.map(describe))}: phones that look new may belong to older users`;
  const remedy =
    'It ends by itself when the update has reached them. To end it now, have the app send installedSecondsAgo with each restore; or set matching.existingUsers to false if nobody had the app before.';
  return [warn('matching', says, remedy, facts)];
}

const namesOf = (states: readonly AppState[]): string => some(states.map(({ app }) => app.name));

function describe({ app, state }: AppState): string {
  const { rollout, devices } = state!;
  const fresh = `${devices.firstSeen} of ${counted(devices.seen, 'device')} never seen before today`;
  return rollout!.reason === 'young'
    ? `${app.name} (new to Landfall, until ${rollout!.until!.slice(0, 10)})`
    : `${app.name} (${fresh})`;
}
