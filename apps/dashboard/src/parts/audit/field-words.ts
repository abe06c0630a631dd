// The words of the forms in which people change what the audit log tells.
import 'virtual:words/settings';
import 'virtual:words/matching';
import 'virtual:words/branding';
import 'virtual:words/linkBuilder';
import 'virtual:words/reportList';
import 'virtual:words/alerts';
import 'virtual:words/keys';
import 'virtual:words/members';
import { words } from '../../words/words.ts';

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
];
