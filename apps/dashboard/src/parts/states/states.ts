// What the web app says of the state of a thing, and the facts that it needs to say so. Of each thing the first word
// whose facts hold is shown. A word that says that all is well needs its fact: `states.unit.test.ts` tries all of them.
import type { Device, Key, Notification, PushProvider } from '@landfall/api-client';

/** `good` and `plain` are normal, and stand as text. The others are badges: over, about to need somebody, wrong. */
export type Tone = 'good' | 'plain' | 'off' | 'warning' | 'wrong';

type Words<Facts, Word extends string> = Readonly<Record<Word, readonly [Tone, (facts: Facts) => boolean]>>;

const wordsFor =
  <Facts>() =>
  <const Word extends string>(words: Words<Facts, Word>): Words<Facts, Word> =>
    words;

/** Returns the word for these facts. The last word of a thing holds for all that are left. */
export function stateOf<Facts, Word extends string>(words: Words<Facts, Word>, facts: Facts) {
  const [word, [tone]] = (Object.entries(words) as [Word, Words<Facts, Word>[Word]][]).find(([, [, holds]]) =>
    holds(facts),
  )!;
  return { word, tone };
}

type Finding = 'ok' | 'warn' | 'failed' | 'skipped';
type DeliveryState = 'queued' | 'sent' | 'logged' | 'failed' | 'unknown' | 'stopped' | 'none';
type Push = Pick<Notification, 'status' | 'targeted' | 'counts'>;

const is =
  <Value extends string>(value: Value) =>
  (given: string) =>
    given === value;
const hasStatus =
  (status: Push['status']) =>
  (push: Push): boolean =>
    push.status === status;

export const states = {
  /** Accepted by a provider is the most that anybody is told of a push. */
  push: wordsFor<Push>()({
    scheduled: ['plain', hasStatus('scheduled')],
    sending: ['plain', hasStatus('sending')],
    cancelled: ['off', hasStatus('cancelled')],
    stopped: ['off', hasStatus('stopped')],
    mostlyFailed: [
      'wrong',
      ({ counts }) => counts.sent > 0 && counts.failed + counts.unknown + counts.logged > counts.sent,
    ],
    sent: ['good', ({ status, counts }) => status === 'sent' && counts.sent > 0],
    logged: ['warning', ({ counts }) => counts.logged > 0],
    failed: ['wrong', ({ counts }) => counts.failed > 0],
    unknown: ['wrong', ({ counts }) => counts.unknown > 0],
    nobody: ['warning', () => true],
  }),

  delivery: wordsFor<DeliveryState>()({
    queued: ['plain', is('queued')],
    sent: ['good', is('sent')],
    logged: ['warning', is('logged')],
    failed: ['wrong', is('failed')],
    stopped: ['off', is('stopped')],
    none: ['plain', is('none')],
    unknown: ['warning', () => true],
  }),

  device: wordsFor<Pick<Device, 'state' | 'credentials'>>()({
    dropped: ['off', ({ state }) => state === 'dropped'],
    'signed-out': ['off', ({ state }) => state === 'signed-out'],
    live: ['good', ({ credentials }) => credentials === 'set'],
    paused: ['wrong', ({ credentials }) => credentials === 'paused'],
    missing: ['wrong', ({ credentials }) => credentials === 'missing'],
    registered: ['plain', () => true],
  }),

  credentials: wordsFor<Pick<PushProvider, 'pausedAt'> | undefined>()({
    none: ['off', (provider) => provider === undefined],
    set: ['good', (provider) => provider?.pausedAt === null],
    paused: ['wrong', () => true],
  }),

  /** One finding of the checks of an app. */
  finding: wordsFor<Finding>()({
    ok: ['good', is('ok')],
    warn: ['warning', is('warn')],
    failed: ['wrong', is('failed')],
    skipped: ['plain', () => true],
  }),

  /** The regular check of the hosts of an app. Null: there was none. */
  regular: wordsFor<readonly Finding[] | null>()({
    none: ['plain', (findings) => findings === null],
    failed: ['wrong', (findings) => findings!.includes('failed')],
    warned: ['warning', (findings) => findings!.includes('warn')],
    ok: ['good', (findings) => findings!.includes('ok')],
    nothing: ['plain', () => true],
  }),

  key: wordsFor<Pick<Key, 'revokedAt' | 'expiresAt'>>()({
    revoked: ['off', ({ revokedAt }) => revokedAt !== null],
    live: ['good', ({ expiresAt }) => expiresAt === null],
    expired: ['off', ({ expiresAt }) => Date.parse(expiresAt!) <= Date.now()],
    ending: ['warning', () => true],
  }),

  /** Where reports and alerts go. */
  channel: wordsFor<{ state: 'ready' | 'unconfirmed' | 'unsubscribed'; failingSince: string | null }>()({
    unsubscribed: ['off', ({ state }) => state === 'unsubscribed'],
    unconfirmed: ['warning', ({ state }) => state === 'unconfirmed'],
    failing: ['wrong', ({ failingSince }) => failingSince !== null],
    ready: ['good', () => true],
  }),

  message: wordsFor<'waiting' | 'sent' | 'failed'>()({
    sent: ['good', is('sent')],
    failed: ['wrong', is('failed')],
    waiting: ['plain', () => true],
  }),

  /** The latest messages of a report, and whether one is tried again. Null: there were none. */
  sent: wordsFor<{ sent: number; waiting: number; failed: number; retried: boolean } | null>()({
    none: ['plain', (last) => last === null],
    retrying: ['warning', (last) => last!.retried],
    waiting: ['plain', (last) => last!.waiting > 0],
    failed: ['wrong', (last) => last!.failed > 0 && last!.sent === 0],
    partly: ['warning', (last) => last!.failed > 0],
    sent: ['good', () => true],
  }),

  alert: wordsFor<{ paused: boolean; state: 'ok' | 'firing' | 'unknown' | 'snoozed' }>()({
    paused: ['off', ({ paused }) => paused],
    snoozed: ['off', ({ state }) => state === 'snoozed'],
    firing: ['wrong', ({ state }) => state === 'firing'],
    ok: ['good', ({ state }) => state === 'ok'],
    unknown: ['plain', () => true],
  }),

  /** The readers of a group of messages. */
  group: wordsFor<{ members: number; waitedMs: number }>()({
    nobody: ['wrong', ({ members }) => members === 0],
    well: ['good', ({ waitedMs }) => waitedMs === 0],
    behind: ['warning', () => true],
  }),
} as const;
