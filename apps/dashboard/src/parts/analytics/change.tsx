import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { type Compared, changeOf } from './measures.ts';

/** The change against the days before, in percent. Growth and loss differ by their sign, and not by colour alone. */
export function Change(compared: Compared) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const change = changeOf(compared);
  if (change === null)
    return (
      <Text span size="xs" aria-label={t('noChange')}>
        –
      </Text>
    );
  if (change === 'new')
    return (
      <Text span size="xs">
        {t('new')}
      </Text>
    );
  const text = format.number(change, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const color = change > 0 ? 'var(--landfall-rise)' : change < 0 ? 'var(--mantine-color-error)' : undefined;
  return (
    <Text span size="xs" fw={600} style={{ color, whiteSpace: 'nowrap' }}>
      {text}
    </Text>
  );
}
