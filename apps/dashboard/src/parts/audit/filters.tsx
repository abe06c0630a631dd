import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import words from '../../words/en.json';
import { type AuditAction, spelt } from './entry-words.ts';

const TIMES = { day: 1, week: 7, month: 30 } as const;
type Time = keyof typeof TIMES;
const DAY_MS = 86_400_000;

export interface AuditSearch {
  action?: string;
  since?: Time;
}

/** Reads these filters from an address. */
export const auditSearch = ({ action, since }: Record<string, unknown>): AuditSearch => ({
  ...(typeof action === 'string' && { action }),
  ...(typeof since === 'string' && since in TIMES && { since: since as Time }),
});

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
