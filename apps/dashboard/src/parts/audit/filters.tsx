import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { words } from '../../words/words.ts';
import { type AuditSearch, OPERATOR, TIMES, type Time } from './audit-search.ts';
import type { AuditAction } from './entry-words.ts';
import { type AuditScope, canOccur } from './scopes.ts';

const DAY_MS = 86_400_000;

/** Returns the filters as the API takes them. The beginning stays while the page shows them. */
export function useAsked({ userId, action, since }: AuditSearch): Asked {
  const from = useMemo(() => since && new Date(Date.now() - TIMES[since] * DAY_MS).toISOString(), [since]);
  return useMemo(() => {
    const by = userId === OPERATOR ? { actorKind: OPERATOR } : userId && { userId };
    return { ...by, ...(action && { action }), ...(from && { from }) };
  }, [userId, action, from]);
}

type Asked = { userId?: string; actorKind?: typeof OPERATOR; action?: string; from?: string };

/** Actions that are readings of another one, which the API does not know. */
const READINGS: readonly string[] = ['ArchiveLink', 'UnarchiveLink', 'LeaveTeam', 'SchedulePush', 'TestPush'];

interface AuditFiltersProps extends AuditSearch {
  scope: AuditScope;
  people: readonly { value: string; label: string }[];
  onChange: (to: { userId?: string | undefined; action?: string | undefined; since?: Time | undefined }) => void;
}

/** The filters by actor, action and time. */
export function AuditFilters({ scope, people, userId, action, since, onChange }: AuditFiltersProps) {
  const t = useTranslations('audit');
  const labelOf = (name: AuditAction) =>
    t.has(`allOf.${name as 'SendPush'}`) ? t(`allOf.${name as 'SendPush'}`) : t(`actions.${name}`, { name: '…' });
  const actions = (Object.keys(words.audit.actions) as AuditAction[])
    .filter((name) => name === action || (!READINGS.includes(name) && canOccur(name, scope)))
    .map((value) => ({ value, label: labelOf(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <>
      <Select
        label={t('by')}
        placeholder={t('byAnyone')}
        clearable
        allowDeselect
        searchable
        data={[...people, { value: OPERATOR, label: t('operator') }]}
        value={userId ?? null}
        onChange={(value) => onChange({ userId: value ?? undefined })}
      />
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
