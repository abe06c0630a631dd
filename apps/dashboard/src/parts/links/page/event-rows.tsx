// Shared by the lists of a link's taps and installs.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { askEvery } from '../../../api/index.ts';
import { flagOf, useNames } from '../../analytics/names.ts';
import { cursorPages } from '../../page/page.tsx';

/** Rows of a page of the lists. */
export const ROWS = 10;
/** Milliseconds after which the first rows are asked for again. */
const FRESH_MS = 15_000;
export const pages = { ...cursorPages, refetchInterval: askEvery(FRESH_MS) };
export const CLOCK = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;

export function Country({ code }: { code: string | null }) {
  const t = useTranslations('linkEvents');
  const names = useNames();
  if (code === null) return t('noCountry');
  return (
    <>
      <span aria-hidden>{flagOf('country', code)} </span>
      {names.nameOf('country', { value: code })}
    </>
  );
}

export function Rows({ count, empty, children }: { count: number; empty: string; children: ReactNode }) {
  if (count === 0) return <Text size="md">{empty}</Text>;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}
