import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ListFilter } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** True in a window in which a table would hide most of itself, and filters would hide the list. */
export const useIsNarrow = () => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });

/** On a phone two filters stand beside each other. */
export const halfOr = (width: number) => ({ base: 'calc(50% - 5px)', xs: width });

interface FiltersButtonProps {
  /** The filters in use. */
  count: number;
  opened: boolean;
  onClick: () => void;
}

/** Shows the filters of a list on a phone, so that its first rows are in sight without them. */
export function FiltersButton({ count, opened, onClick }: FiltersButtonProps) {
  const t = useTranslations('views');
  return (
    <Button
      variant="default"
      leftSection={<ListFilter size={16} aria-hidden />}
      aria-expanded={opened}
      onClick={onClick}
    >
      {t('filters', { count })}
    </Button>
  );
}
