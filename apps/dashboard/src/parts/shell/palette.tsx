import { Kbd, Modal } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { appQuery, appsQuery, meQuery } from '../../api/index.ts';
import { DataTable } from '../page/data-table.tsx';
import { commonPages, instancePages, pagesFor } from './navigation.ts';

/** A search over all pages and apps. `asked` grows each time somebody asks for it. */
export function Palette({ appId, asked }: { appId: string | undefined; asked: number }) {
  const t = useTranslations('shortcuts');
  const shell = useTranslations('shell');
  const navigate = useNavigate();
  const { data: apps = [] } = useQuery(appsQuery());
  const { data: me } = useQuery(meQuery());
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  const { data } = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined });
  const pages = (me ? pagesFor(me, data?.app.teamId ?? null) : []).map(({ to, name }) => ({
    id: to,
    label: shell(name),
    onClick: () => void (appId !== undefined && navigate({ to, params: { appId } })),
  }));
  const actionsOf = (list: readonly (typeof commonPages | typeof instancePages)[number][]) =>
    list.map(({ to, name }) => ({ id: to, label: shell(name), onClick: () => void navigate({ to }) }));
  const common = actionsOf(commonPages);
  const ofInstance = actionsOf(instancePages);
  const account = { id: '/account', label: shell('account'), onClick: () => void navigate({ to: '/account' }) };
  const toApps = apps.map(({ id, name }) => ({
    id,
    label: name,
    onClick: () => void navigate({ to: '/apps/$appId', params: { appId: id } }),
  }));
  return (
    <Spotlight
      shortcut={null}
      highlightQuery
      actions={[
        { group: t('pages'), actions: appId === undefined ? common : [...pages, ...common] },
        { group: t('apps'), actions: toApps },
        { group: shell('ofInstance'), actions: me?.person?.instanceOwner ? [account, ...ofInstance] : [account] },
      ]}
      nothingFound={t('nothing')}
      searchProps={{ placeholder: t('where'), 'aria-label': t('where') }}
      limit={12}
    />
  );
}

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shortcuts');
  return (
    <Modal opened onClose={onClose} title={t('title')}>
      <DataTable
        rows={KEYS}
        rowKey="key"
        columns={{ key: { w: 120, cell: ({ key }) => <Kbd>{key}</Kbd> }, name: ({ name }) => t(name) }}
      />
    </Modal>
  );
}

const KEYS = [
  { key: '⌘K / Ctrl K', name: 'palette' },
  { key: '/', name: 'search' },
  { key: 'c', name: 'create' },
  { key: '⌘Enter / Ctrl Enter', name: 'send' },
  { key: 'y', name: 'copyAddress' },
  { key: '?', name: 'help' },
] as const;
