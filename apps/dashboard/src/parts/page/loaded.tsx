import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
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
  return (
    <>
      {error !== null && error !== undefined && <FailureAlert error={error} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && <Waiting rows={rows} />}
    </>
  );
}

/** A place holder of some lines. */
export function Waiting({ rows }: { rows: number }) {
  return (
    <Stack gap="sm" aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={24} />
      ))}
    </Stack>
  );
}
