// Matching by address is stricter while an update may reach users who already had the app.
import { DescribeRollout } from '@landfall/contracts';
import type { z } from 'zod';
import { SITE_MS } from '../facts/facts.ts';
import { jsonOf } from '../facts/get.ts';
import { bearer, type KnownApp } from '../facts/site.ts';
import { counted, ok, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

const MAX_APPS = 20;

export const matchingCheck: Check = {
  name: 'matching',
  withinMs: SITE_MS + 2_500,
  async run({ site, get, setup }) {
    const looked = await site();
    const door = looked?.doors.find(({ view }) => view);
    if (!door) return skipped('it is not known which apps there are');
    const apps = (looked!.apps ?? []).filter(mayHaveUsers).slice(0, MAX_APPS);
    const states = await Promise.all(
      apps.map(async (app) => {
        const got = await get(`${door.url}/api/manage/apps/${app.id}/matching`, bearer(setup));
        const parsed = DescribeRollout.reply.safeParse(jsonOf(got));
        return { name: app.name, state: parsed.success ? parsed.data : null };
      }),
    );
    return matchingFinding(states);
  },
};

const mayHaveUsers = ({ id, matching }: KnownApp): boolean =>
  id !== undefined && matching.existingUsers && matching.windowMinutes > 0;

interface AppState {
  name: string;
  /** Null when the gateway does not give the state. */
  state: z.output<typeof DescribeRollout.reply> | null;
}

export function matchingFinding(all: readonly AppState[]): Said {
  const silent = all.filter(({ state }) => state === null);
  if (silent.length > 0) return skipped(`the gateway does not say it of ${some(silent.map(({ name }) => name))}`);
  // If no device has started the app, it has no older users.
  const careful = all.filter(({ state }) => state!.rollout !== null && state!.devices.seen > 0);
  if (careful.length === 0) return ok('phones that look new are taken for new in all apps');
  return warn(
    `matching by address finds less in ${some(careful.map(describe))}: phones that look new may belong to older users`,
    'It ends by itself when the update has reached them. To end it now, have the app send installedSecondsAgo with each restore; or set matching.existingUsers to false if nobody had the app before.',
    { apps: Object.fromEntries(careful.map(({ name, state }) => [name, state!])) },
  );
}

function describe({ name, state }: AppState): string {
  const { rollout, devices } = state!;
  return rollout!.reason === 'young'
    ? `${name} (new to Landfall, until ${rollout!.until!.slice(0, 10)})`
    : `${name} (${devices.firstSeen} of ${counted(devices.seen, 'device')} never seen before today)`;
}
