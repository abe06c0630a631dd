import type { FormRulesRecord } from '@mantine/form';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { objectOf } from '../forms/changes.ts';
import { instantIn } from '../time-zone.ts';
import type { PushValues } from './push-fields.ts';

/** The field has whole minutes, and the clock of the browser may be fast. */
const ALLOWED_MS = 60_000;

/** The rules of the form of a push. */
export function usePushRules() {
  const t = useTranslations('push');
  const format = useFormatter();
  const { timeZone } = useApp();
  return {
    title: (value, { silent }) => (!silent && value.trim() === '' ? t('titleMissing') : null),
    body: (value, { silent }) => (!silent && value.trim() === '' ? t('bodyMissing') : null),
    people: (value, { audience }) => (audience === 'people' && value.length === 0 ? t('peopleMissing') : null),
    tokens: (value, { audience }) => (audience === 'tokens' && value.length === 0 ? t('tokensMissing') : null),
    metadata: (value) => (objectOf(value) ? null : t('metadataInvalid')),
    localized: { language: (value) => (value.trim() === '' ? t('languageMissing') : null) },
    // The API sends a push with a past time at once. A person who entered one made a mistake.
    scheduleAt(value: string) {
      const at = instantIn(value, timeZone);
      const now = Date.now();
      if (at === null || Date.parse(at) >= now - ALLOWED_MS) return null;
      return t('past', {
        now: format.dateTime(now, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
        timeZone,
      });
    },
  } satisfies FormRulesRecord<PushValues>;
}
