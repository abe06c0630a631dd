import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { words } from '../../words/words.ts';
import { type AuditSearch, TIMES, type Time } from './audit-search.ts';
import { type AuditAction, spelt } from './entry-words.ts';

const DAY_MS = 86_400_000;

/** Returns the filters as the API takes them. The beginning stays while the page shows them. */
export function useAsked({ action, since }: AuditSearch): { action?: string; from?: string } {
  const from = useMemo(() => since && new Date(Date.now() - TIMES[since] * DAY_MS).toISOString(), [since]);
  return useMemo(() => ({ ...(action && { action }), ...(from && { from }) }), [action, from]);
}

/** Actions that are two readings of one, which the API does not know. */
const READINGS: readonly string[] = ['ArchiveLink', 'UnarchiveLink'];

interface AuditFiltersProps extends AuditSearch {
  onChange: (to: { action?: string | undefined } | { since?: Time | undefined }) => void;
}

/** What was done, and since when. */
export function AuditFilters({ action, since, onChange }: AuditFiltersProps) {
  const t = useTranslations('audit');
  const actions = (Object.keys(words.audit.actions) as AuditAction[])
    .filter((name) => !READINGS.includes(name))
    .map((value) => ({ value, label: spelt(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <>
      <Select
        label={t('what')}
        placeholder={t('anything')}
        clearable
        allowDeselect
        searchable
        data={actions}
        value={action ?? null}
        onChange={(value) => onChange({ action: value ?? undefined })}
      />
      <Select
        label={t('since')}
        placeholder={t('always')}
        clearable
        allowDeselect
        data={(Object.keys(TIMES) as Time[]).map((value) => ({ value, label: t(`times.${value}`) }))}
        value={since ?? null}
        onChange={(value) => onChange({ since: (value as Time | null) ?? undefined })}
      />
    </>
  );
}
