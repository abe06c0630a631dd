// Gateways hash stored addresses and sign referrers with HASH_SECRET, so all must have the same one.
import { SITE_MS } from '../facts/facts.ts';
import type { GatewayView } from '../facts/site.ts';
import { counted, fail, ok, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const secretCheck: Check = {
  name: 'hash secret',
  withinMs: SITE_MS + 500,
  async run({ site }) {
    const looked = await site();
    const views = looked?.doors.flatMap(({ view }) => view ?? []) ?? [];
    if (views.length > 0) return secretFinding(views);
    return skipped(`no gateway could be asked: ${looked?.front.noView ?? 'none answers'}`);
  },
};

function secretFinding(views: readonly Pick<GatewayView, 'instance' | 'hashSecret'>[]): Said {
  const gateways = new Map(views.map((view) => [view.instance, view.hashSecret]));
  const sets = [...Map.groupBy(gateways, ([, { check }]) => check).values()];
  if (sets.length > 1) {
    const shown = sets.map((same) => some(same.map(([instance]) => instance))).join(' / ');
    return fail(
      `gateways have different secrets: ${shown}. What one of them stores, the others never find`,
      'Give all of them the same HASH_SECRET: the one that has been in use longest, or what it stored is never found again.',
    );
  }
  if (gateways.values().some(({ guessable }) => guessable))
    return warn(
      'it looks like words or a pattern: who guesses it finds addresses behind the stored hashes',
      'Before there is anything to lose, set HASH_SECRET to the output of openssl rand -hex 32. With another secret, stored addresses and emails match nothing.',
    );
  if (gateways.size > 1) return ok(`${counted(gateways.size, 'gateway')} have the same one, which looks like chance`);
  return ok(`gateway ${views[0]!.instance} has one that looks like chance`);
}
