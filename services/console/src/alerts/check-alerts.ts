// Checks the alerts that are due. Any number of consoles do it: each alert is taken by one of them, every ten minutes.
import { linkNameOf } from '@landfall/api-client/link-name';
import { Busy, NoAnswer, uuid5 } from '@landfall/bus';
import { type App, QueryAnalytics } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import { countingLagMs } from '../analytics/counting-lag.ts';
import type { NewMessage } from '../channels/message-repository.ts';
import type { ConsoleParts } from '../parts.ts';
import { alertMessage } from './alert-message.ts';
import type { Checked, TakenAlert } from './alert-repository.ts';
import { type Finding, judge, nextState, type UnknownReason, unknownReasons } from './rules.ts';
import { askedFor, type Window, windowIn } from './windows.ts';

export type AlertParts = Pick<
  ConsoleParts,
  'account' | 'config' | 'forward' | 'groups' | 'lookups' | 'now' | 'telling'
> & {
  log: Logger;
};

/** Later than this, the last hours may lack events that happened. */
const LAG_MS = 300_000;
const AT_ONCE = 8;
/** After this time an alert is tried again when analytics had no time for it. */
const AGAIN_MS = 30_000;
const DAY_MS = 86_400_000;
/** An alert tells its channels no more often in a day. */
const TOLD_A_DAY = 6;
const CALLER = 'alerts';
const WAIT = { timeoutMs: 25_000 };

/** Checks all alerts that are due. While analytics has no time for more questions, those that are left wait. */
export async function checkDueAlerts(parts: AlertParts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const taken = await parts.account.alerts.take(parts.now(), AT_ONCE);
    let isBusy = false;
    if (taken.length > 0) {
      const behind = (await countingLagMs(parts)) > LAG_MS;
      const check = (alert: TakenAlert) =>
        checkAlert(alert, behind, parts).catch(async (err: unknown) => {
          if (!hasNoTime(err)) {
            parts.log.warn({ err, alertId: alert.id }, 'an alert was not checked: it is checked again in ten minutes');
            return;
          }
          isBusy = true;
          await parts.account.alerts.putOff(alert, new Date(parts.now().getTime() + AGAIN_MS));
        });
      await Promise.all(taken.map(check));
    }
    if (taken.length < AT_ONCE || isBusy || signal?.aborted) return;
  }
}

const hasNoTime = (err: unknown): boolean =>
  err instanceof Busy || err instanceof NoAnswer || (err instanceof ApiError && err.code === 'TOO_MANY_QUESTIONS');

async function checkAlert(alert: TakenAlert, behind: boolean, parts: AlertParts): Promise<void> {
  const { account, lookups, now, telling } = parts;
  const app = await lookups.existingApp(alert.appId);
  const window = behind ? null : await windowFor(alert, app, parts);
  const at = now();
  const finding: Finding = window === null ? 'BEHIND' : judge(alert, window.value, window.expected);
  const { state, streak } = nextState(alert, finding);
  const since = state === alert.state ? alert.since : at;
  const reason = isReason(finding) ? finding : null;
  const seen = { figure: window?.value ?? null, expected: window?.expected ?? null };
  const found: Checked = { state, streak, told: alert.told, reason, since, ...seen };
  const isSnoozed = alert.snoozedUntil !== null && alert.snoozedUntil > at;
  // Nearly all checks tell nothing: a thousand are due at once.
  if (state === 'unknown' || state === alert.told || isSnoozed) {
    await account.alerts.checked(null, alert, found, at);
    return;
  }
  await telling({ id: alert.id, now: at }, async (tx) => {
    const told = await account.messages.toldSince(tx, alert.id, new Date(at.getTime() - DAY_MS));
    const tells = told < TOLD_A_DAY;
    const isCurrent = await account.alerts.checked(tx, alert, tells ? { ...found, told: state } : found, at);
    if (isCurrent && tells)
      await account.messages.add(tx, await messagesOf(alert, app, { ...found, state }, window!, at, parts));
    return { done: undefined };
  });
}

const isReason = (finding: Finding): finding is UnknownReason =>
  (unknownReasons as readonly string[]).includes(finding);

async function windowFor(alert: TakenAlert, app: App, { forward, now }: AlertParts): Promise<Window> {
  const { metric, filter, hours } = alert;
  const asked = { ...askedFor(hours, app.timeZone, now()), to: null, metric, appId: app.id, caller: CALLER };
  const found = await forward(QueryAnalytics, { ...asked, filters: filter ? [filter] : [] }, WAIT);
  // Nothing was counted ever: no week is complete.
  const counted = found.completeFrom === null ? Number.POSITIVE_INFINITY : Date.parse(found.completeFrom);
  // Figures that were brought along may be older than the app.
  const first = found.buckets[found.values.findIndex((value) => value > 0)] ?? app.createdAt;
  const since = Math.min(Date.parse(first), Date.parse(app.createdAt));
  return windowIn(found, hours, app.timeZone, Math.max(counted, since));
}

async function messagesOf(
  alert: TakenAlert,
  app: App,
  found: Checked,
  window: Window,
  at: Date,
  { account, config, lookups }: AlertParts,
): Promise<NewMessage[]> {
  const { filter } = alert;
  const link = filter?.dimension === 'link' ? await lookups.link(filter.value).catch(() => null) : null;
  const filterName = link ? linkNameOf(link) : (filter?.value ?? null);
  const message = alertMessage(alert, app, found, window, filterName, config.PUBLIC_URL);
  const kinds = new Map((await account.channels.list(app.id)).map(({ id, kind }) => [id, kind]));
  return alert.channelIds.flatMap((channelId) => {
    const via = kinds.get(channelId);
    if (via === undefined) return [];
    const id = uuid5(alert.id, `${at.toISOString()} ${found.state} ${channelId}`);
    const about = { kind: 'alert', sourceId: alert.id, appId: app.id } as const;
    return [{ id, ...about, channelId, via, message, createdAt: at }];
  });
}
