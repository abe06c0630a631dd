import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';

interface ChangeProps {
  now: number | null;
  before: number | null | undefined;
  /** False: the days before lack events, and a change would be made up. */
  complete?: boolean;
}

/** The change against the days before, in percent. Growth and loss differ by their sign, and not by colour alone. */
export function Change({ now, before, complete = true }: ChangeProps) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  if (!complete || now === null || before === null || before === undefined || (before === 0 && now === 0))
    return (
      <Text span size="xs" aria-label={t('noChange')}>
        –
      </Text>
    );
  if (before === 0)
    return (
      <Text span size="xs">
        {t('new')}
      </Text>
    );
  const change = (now - before) / before;
  const text = format.number(change, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const color = change > 0 ? 'var(--landfall-rise)' : change < 0 ? 'var(--mantine-color-error)' : undefined;
  return (
    <Text span size="xs" fw={600} style={{ color, whiteSpace: 'nowrap' }}>
      {text}
    </Text>
  );
}
