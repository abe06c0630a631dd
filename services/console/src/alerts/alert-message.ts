// Makes the message of an alert that began to fire, or ended.
import type { App } from '@landfall/contracts';
import type { Message } from '../channels/message.ts';
import { localOf } from '../reports/schedule.ts';
import type { AlertMetric, Checked, TakenAlert } from './alert-repository.ts';
import type { AlertRule } from './rules.ts';
import { type Window, windowOf } from './windows.ts';

const METRICS: Record<AlertMetric, string> = {
  clicks: 'Taps',
  attributedInstalls: 'Installs from links',
  installs: 'All installs',
  restores: 'Restores',
};

const FIRING: Record<AlertRule, string> = {
  fall: 'fell',
  rise: 'rose',
  silence: 'stopped',
  above: 'are above the limit',
  below: 'are below the limit',
};

/** @param filterName what the filter is about, for people. Null: there is no filter. */
export function alertMessage(
  alert: TakenAlert,
  { id: appId, name: appName, timeZone }: App,
  { state, since }: Checked,
  window: Window,
  filterName: string | null,
  publicUrl: string,
): Message {
  const { id: alertId, name, metric, filter, rule, bound, hours } = alert;
  const { value, expected, weeks } = window;
  const what = `${METRICS[metric]} of ${appName}${filterName === null ? '' : `, ${filterName}`}`;
  const isFiring = state === 'firing';
  const shown = (at: Date) => localOf(timeZone, at.getTime());
  const compared =
    bound !== null && (rule === 'above' || rule === 'below')
      ? `The limit is ${number(bound)}.`
      : `Expected: about ${number(expected ?? 0)}, as at the same time of the ${weeks} weeks before.`;
  const url = `${publicUrl}/apps/${appId}/analytics`;
  return {
    type: 'alert',
    title: isFiring ? `${name}: ${METRICS[metric]} of ${appName} ${FIRING[rule]}` : `${name}: it is over`,
    lines: [
      `${what}: ${number(value)} from ${shown(window.from)} to ${shown(window.to)} (${timeZone}).`,
      compared,
      isFiring ? `It fires since ${shown(since)}.` : `It ended at ${shown(since)}. It began at ${shown(alert.since)}.`,
    ],
    sections: [],
    notes: [],
    url,
    data: {
      ...{
        alertId,
        appId,
        appName,
        name,
        metric,
        filter,
        rule,
        bound,
        window: windowOf(hours),
        state,
        value,
        expected,
      },
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      timeZone,
      since: since.toISOString(),
      url,
    },
  };
}

const number = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: 1 });
