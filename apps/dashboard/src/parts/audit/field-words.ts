// The words of the forms in which people change what the audit log tells.
import 'virtual:words/settings';
import 'virtual:words/matching';
import 'virtual:words/branding';
import 'virtual:words/linkBuilder';
import 'virtual:words/reportList';
import 'virtual:words/alerts';
import 'virtual:words/keys';
import 'virtual:words/members';
import 'virtual:words/analytics';
import 'virtual:words/shares';
import 'virtual:words/audit';
import { words } from '../../words/words.ts';

const { analytics, shares, audit } = words;

/** The fields of a share: its view, and the rights of its viewers. */
const ofShare = {
  view: {
    range: analytics.range,
    from: analytics.from,
    to: analytics.to,
    compare: analytics.compare,
    filter: analytics.filters,
    spelling: analytics.spelling,
    funnel: analytics.funnel,
    ...audit.viewFields,
  },
  options: shares,
  hasPassword: shares.password,
};

/** The first that has a field names it. */
export const fieldWords: readonly object[] = [
  words.settings,
  words.matching,
  words.branding,
  words.linkBuilder,
  words.reportList,
  words.alerts,
  words.keys,
  words.members,
  ofShare,
];

/** The words of the forms for the values of these fields. */
export const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'view.range': analytics.ranges,
  'view.compare': analytics.comparisons,
  'view.spelling': { folded: audit.no, exact: audit.yes },
  'view.metric': analytics.metrics,
  'view.figures': analytics.metrics,
  'view.cardMetrics': analytics.metrics,
  metric: words.alerts.metrics,
  rule: words.alerts.rules,
  window: words.alerts.windows,
  every: words.reportList.periods,
};
