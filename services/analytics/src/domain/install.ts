// The install of a device and the restore that it is attributed to. The events may come in any order, so everything that
// decides is kept with the device.
import { type Fact, kinds } from './fact.ts';

/** A restore within a day before or after an install belongs to it. */
export const WITHIN_MS = 86_400_000;
/** A device remembers this many restores, the earliest ones. */
export const MOST_RESTORES = 20;

export interface Restore {
  /** ISO 8601. */
  readonly at: string;
  readonly id: string;
  readonly linkId: string;
  readonly clickId: string;
  readonly clickedAt: string | null;
  readonly matchType: string | null;
}

export interface Install {
  readonly appId: string;
  readonly device: string;
  readonly installId: string | null;
  readonly installedAt: Date | null;
  readonly country: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  /** In the order of time, then of the id. */
  readonly restores: readonly Restore[];
  readonly latestAt: Date;
}

/** A device before its first event. */
export const unknownInstall = ({ appId, device, at }: Fact): Install => ({
  appId,
  device: device!,
  installId: null,
  installedAt: null,
  country: null,
  platform: null,
  appVersion: null,
  restores: [],
  latestAt: at,
});

/** True for facts that {@link withFact} takes. */
export const concernsInstall = ({ kind, device }: Fact): boolean =>
  device !== null && (kind === kinds.install || kind === kinds.restore);

/** Returns the install after one more fact. The order of the facts does not matter. */
export function withFact(install: Install, fact: Fact): Install {
  const latestAt = new Date(Math.max(fact.at.getTime(), install.latestAt.getTime()));
  if (fact.kind === kinds.restore) return { ...install, latestAt, restores: withRestore(install.restores, fact) };
  // Two phones with one fingerprint are one device: the first install counts.
  if (install.installedAt !== null && !isEarlier(fact, install)) return { ...install, latestAt };
  const { id: installId, at: installedAt, country, platform, appVersion } = fact;
  return { ...install, latestAt, installId, installedAt, country, platform, appVersion };
}

const isEarlier = (fact: Fact, { installedAt, installId }: Install): boolean =>
  fact.at < installedAt! || (fact.at.getTime() === installedAt!.getTime() && fact.id < installId!);

function withRestore(restores: readonly Restore[], { at, id, linkId, clickId, clickedAt, matchType }: Fact) {
  const restore: Restore = {
    at: at.toISOString(),
    id,
    linkId: linkId!,
    clickId: clickId!,
    clickedAt: clickedAt?.toISOString() ?? null,
    matchType,
  };
  return [...restores, restore].sort(byTime).slice(0, MOST_RESTORES);
}

const byTime = (a: Restore, b: Restore): number => compare(a.at, b.at) || compare(a.id, b.id);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Of the first restore near the install, the link that was tapped last. Null: nobody tapped one, or it is not known. */
export function attributionOf({ installedAt, restores }: Install): Restore | null {
  if (installedAt === null) return null;
  const near = restores.filter(({ at }) => Math.abs(Date.parse(at) - installedAt.getTime()) <= WITHIN_MS);
  // The links of one restore have one time.
  const first = near.filter(({ at }) => at === near[0]!.at);
  return first.reduce<Restore | null>((last, next) => (last === null || tappedLater(next, last) ? next : last), null);
}

const tappedLater = (a: Restore, b: Restore): boolean =>
  (compare(a.clickedAt ?? '', b.clickedAt ?? '') || compare(a.id, b.id)) > 0;
