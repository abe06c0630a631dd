import { Kbd, Modal } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DataTable } from '../page/data-table.tsx';

export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shortcuts');
  return (
    <Modal opened onClose={onClose} title={t('title')}>
      <DataTable
        rows={KEYS}
        rowKey="key"
        columns={{ key: { w: 160, cell: ({ key }) => <Kbd>{key}</Kbd> }, name: ({ name }) => t(name) }}
      />
    </Modal>
  );
}

const KEYS = [
  { key: '/ or ⌘K / Ctrl K', name: 'search' },
  { key: 'c', name: 'create' },
  { key: '⌘Enter / Ctrl Enter', name: 'send' },
  { key: 'y', name: 'copyAddress' },
  { key: '?', name: 'help' },
] as const;
