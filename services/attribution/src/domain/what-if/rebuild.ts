// Makes the input of a decision again from its facts, with other settings.
import type { MatchingSettings, Platform } from '@landfall/contracts';
import type { Ask, PendingLink, Sighting } from '../candidate.ts';
import { firstMet } from '../device.ts';
import type { Restore } from '../past.ts';
import { before, days } from '../time.ts';
import { BITS, type Facts, idOf, type PlatformCode, type TapFacts } from './facts.ts';

/** A stored decision. Its ids of taps are short. */
export interface StoredDecision extends Omit<Restore, 'considered' | 'reply'> {
  readonly facts: Facts | null;
  readonly linkIds: readonly string[];
}

/** A tap as the decision saw it. */
export interface RebuiltTap {
  /** Its short id. */
  readonly id: string;
  readonly row: PendingLink;
  /** The short id of the message that closed it then. Null: none, or nobody who is known. */
  readonly closer: string | null;
  /** False when the decision did not look at it. */
  readonly looked: boolean;
  /** True when its row was open, whatever explains the tap. */
  readonly countsAsOpen: boolean;
}

export interface Rebuilt {
  readonly ask: Ask;
  /** Without the crowd, the links that the device got before, and the use of the token. */
  readonly sighting: Sighting;
  readonly taps: readonly RebuiltTap[];
}

const ASKING = 'the build that asks';
const ANY_DAYS = 36_500;

export function rebuild(stored: StoredDecision, facts: Facts, matching: MatchingSettings): Rebuilt {
  const { id, appId, at, address } = stored;
  const ipv6 = facts.v === undefined ? null : facts.v === 2 ? address : 'the other address';
  const taps = (facts.t ?? []).map((tap, place) => toTap(tap, facts.l!, { appId, at, address, ipv6, place }));
  const named = facts.k === undefined ? undefined : taps[facts.k]!.row;
  const ask: Ask = {
    id,
    now: at,
    appId,
    token: named ? { tapId: named.id, linkId: named.linkId, tappedAt: named.tappedAt.toISOString() } : null,
    email: null,
    fingerprint: null,
    address,
    ipv6,
    site: null,
    userAgent: '',
    from: () => null,
    platform: platformOf(facts.p),
    model: facts.m ? modelOf(0) : null,
    osMajor: facts.o ?? null,
    // A client that sends no such fingerprint has no tap to compare it with.
    build: ASKING,
    language: null,
    installedSecondsAgo: facts.i ?? null,
    appCreatedAt: null,
    country: null,
    appVersion: null,
    caller: null,
    // The token was checked when the decision was made.
    matching: { ...matching, tokenDays: ANY_DAYS },
    final: true,
  };
  return { ask, sighting: toSighting(stored, facts, matching), taps };
}

function toSighting({ appId, device, at }: StoredDecision, facts: Facts, matching: MatchingSettings): Sighting {
  const ago = (span: number | undefined) => (span === undefined ? null : before(at, span));
  return {
    device: {
      ...firstMet(appId, device ?? '', at),
      firstSeen: firstSeenOf(facts, at),
      newSince: newSinceOf(facts, at, matching),
      sharedAt: ago(facts.s),
      platform: platformOf(facts.p),
    },
    firstHereAt: ago(facts.f),
    lastHeartbeatAt: ago(facts.h),
    others: facts.d ?? 0,
    newcomers: facts.w ?? 0,
    newDevices: facts.e ?? 0,
    rollout:
      matching.existingUsers && facts.u
        ? { reason: facts.u === 'y' ? 'young' : 'manyNewDevices', until: null, isFirstDay: facts.b === 1 }
        : null,
    crowd: false,
    given: [],
    tokenSpent: false,
  };
}

/** The latest return is enough: one before it is over a day older, and no setting calls a device new for longer. */
function newSinceOf({ n, r }: Facts, at: Date, { returningDeviceDays }: MatchingSettings): Date {
  if (r === undefined) return before(at, n!);
  const [returned, awayDays] = r;
  return awayDays >= returningDeviceDays ? before(at, returned) : before(at, returned + days(awayDays));
}

/** Returns a time before `newSinceOf` for a device that came back, else the same time. */
const firstSeenOf = ({ n, r }: Facts, at: Date): Date =>
  r === undefined ? before(at, n!) : before(at, r[0] + days(r[1]));

function toTap(
  [id, link, age, others, ofPlatform, alike, platform, model, osMajor, browser, bits, closer]: TapFacts,
  links: readonly string[],
  { appId, at, address, ipv6, place }: Pick<Ask, 'appId' | 'address' | 'ipv6'> & { at: Date; place: number },
): RebuiltTap {
  const has = (bit: number) => (bits & bit) !== 0;
  const isClosed = closer !== undefined || has(BITS.closed) || has(BITS.opened);
  const row: PendingLink = {
    // Of taps of one moment, the greater id counts as newer. So ids keep the order of the facts.
    id: `${LAST_PLACE - place} ${id}`,
    appId,
    linkId: idOf(links[link]!),
    kind: 'tap',
    originalUrl: null,
    sealedUrl: null,
    tappedAt: before(at, age),
    platform: platform === 0 ? null : platformOf(platform),
    model: model === null ? null : modelOf(model),
    osMajor,
    builds: has(BITS.sameBuild) ? [ASKING] : has(BITS.otherBuild) ? ['another build'] : null,
    language: null,
    address: has(BITS.elsewhere) ? null : has(BITS.overIpv6) ? ipv6 : address,
    userAgent: browser === null ? null : `browser ${browser}`,
    email: null,
    fingerprint: null,
    others,
    othersOfPlatform: ofPlatform,
    othersAlike: alike,
    archivedAt: has(BITS.archived) ? at : null,
    expiresAt: has(BITS.expired) ? at : null,
    closedBy: isClosed ? (closer ?? 'somebody') : null,
    closedAt: null,
  };
  const countsAsOpen = !isClosed || has(BITS.opened);
  return { id, row, closer: closer ?? null, looked: !has(BITS.beyond), countsAsOpen };
}

const platformOf = (code: PlatformCode | undefined): Platform | null =>
  code === undefined ? null : code === 'i' ? 'ios' : 'android';

/** Greater than any place, and with as many digits as the least difference. */
const LAST_PLACE = 999;

const modelOf = (number: number): string => `model ${number}`;
