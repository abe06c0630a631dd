// HASH_SECRET: gateways hash stored addresses and sign referrers with it, so all gateways must have the same secret.
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import type { GatewayView } from '../facts/site.ts';
import { counted, type Finding, fail, ok, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const secretCheck: Check<Facts> = {
  name: 'hash secret',
  withinMs: SITE_MS + 500,
  async run({ site }) {
    const looked = await site();
    const views = looked?.doors.flatMap(({ view }) => (view ? [view] : [])) ?? [];
    if (views.length === 0)
      return [skipped('hash secret', `no gateway could be asked: ${looked?.front.noView ?? 'none answers'}`)];
    return secretFindings(views);
  },
};

type Has = Pick<GatewayView, 'instance' | 'hashSecret'>;

export function secretFindings(views: readonly Has[]): Finding[] {
  const gateways = new Map(views.map((view) => [view.instance, view.hashSecret]));
  const sets = [...Map.groupBy(gateways, ([, { check }]) => check).values()].map((same) =>
    same.map(([instance]) => instance),
  );
  if (sets.length > 1) {
    const says = `gateways have different secrets: ${sets.map((same) => some(same)).join(' / ')}. What one of them stores, the others never find`;
    return [
      fail(
        'hash secret',
        says,
        'Give all of them the same HASH_SECRET: the one that has been in use longest, or what it stored is never found again.',
      ),
    ];
  }
  if ([...gateways.values()].some(({ guessable }) => guessable)) {
    const remedy =
      'Before there is anything to lose, set HASH_SECRET to the output of openssl rand -hex 32. With another secret, stored addresses and emails match nothing.';
    return [
      warn(
        'hash secret',
        'it looks like words or a pattern: who guesses it finds addresses behind the stored hashes',
        remedy,
      ),
    ];
  }
  const [one] = gateways.keys();
  return [
    ok(
      'hash secret',
      gateways.size === 1
        ? `gateway ${one} has one that looks like chance`
        : `${counted(gateways.size, 'gateway')} have the same one, which looks like chance`,
    ),
  ];
}
