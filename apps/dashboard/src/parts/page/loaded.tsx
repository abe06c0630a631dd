import { Skeleton, Stack, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { FailureAlert } from './failure-alert.tsx';

interface Asked<T> {
  data: T | undefined;
  error: unknown;
}

/** Shows the data of a query, its failure, or a place holder. During an outage the last data stays. */
export function Loaded<T>({
  query,
  children,
  rows = 5,
}: {
  query: Asked<T>;
  children: (data: T) => ReactNode;
  rows?: number;
}) {
  const { data, error } = query;
  const lastError = useRef<unknown>(null);
  // While a question that failed is asked again it has no error. Its failure stays until there is an answer.
  if (error || data !== undefined) lastError.current = error;
  const shown = lastError.current;
  return (
    <>
      {shown !== null && <FailureAlert error={shown} asksAgain />}
      {data !== undefined && children(data)}
      {data === undefined && shown === null && <Waiting rows={rows} />}
    </>
  );
}

/** Milliseconds after which people wonder whether anything comes. */
const SLOW_MS = 4_000;

/** A place holder of some lines. It says so when the answer takes long. */
export function Waiting({ rows }: { rows: number }) {
  const t = useTranslations('window');
  const [slow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), SLOW_MS, { autoInvoke: true });
  return (
    <Stack gap="sm" aria-busy>
      {slow && (
        <Text size="sm" role="status">
          {t('slow')}
        </Text>
      )}
      {Array.from({ length: rows - (slow ? 1 : 0) }, (_, row) => (
        <Skeleton key={row} height={24} />
      ))}
    </Stack>
  );
}
