import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
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
      {shown !== null && <FailureAlert error={shown} />}
      {data !== undefined && children(data)}
      {data === undefined && shown === null && <Waiting rows={rows} />}
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
