import { Select, type SelectProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { oneOf } from '../views/address.ts';

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];

interface PlatformSelectProps extends Pick<SelectProps, 'w'> {
  /** Undefined: all platforms. */
  value: Platform | undefined;
  onChange: (platform: Platform | undefined) => void;
}

/** Narrows a list to the devices of one platform. */
export function PlatformSelect({ value, onChange, w = 150 }: PlatformSelectProps) {
  const t = useTranslations('devices');
  const clients = useTranslations('clients.platforms');
  return (
    <Select
      aria-label={t('platform')}
      placeholder={t('anyPlatform')}
      clearable
      w={w}
      data={PLATFORMS.map((value) => ({ value, label: clients(value) }))}
      value={value ?? null}
      onChange={(value) => onChange(oneOf(PLATFORMS, value))}
    />
  );
}
