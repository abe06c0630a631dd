import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** How the lists of the API continue. */
export const cursorPages = {
  pageParamName: 'cursor',
  initialPageParam: null,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
};

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The button below a list that has more. */
export function More({ query }: { query: Paged }) {
  const t = useTranslations('window');
  if (!query.hasNextPage) return null;
  return (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('more')}
    </Button>
  );
}
