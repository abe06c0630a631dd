import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { MoonStar } from 'lucide-react';
import { useTranslations } from 'use-intl';

export function SchemeButton() {
  const t = useTranslations('shell');
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={toggleColorScheme} aria-label={t('scheme')}>
      <MoonStar size={18} aria-hidden />
    </ActionIcon>
  );
}
