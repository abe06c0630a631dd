import { Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { appsQuery } from '../../api/apps.ts';
import { meQuery } from '../../api/session.ts';
import { appPages, instancePages } from './navigation.ts';

/** The keys of the app, the list of them, and the palette that goes to any page. Keys do nothing while a person types. */
export function Shortcuts({ appId }: { appId: string | undefined }) {
  const t = useTranslations('shortcuts');
  const shell = useTranslations('shell');
  const navigate = useNavigate();
  const [helped, help] = useDisclosure();
  const { data: apps = [] } = useQuery(appsQuery());
  const onLinks = (create: boolean) => {
    if (appId === undefined) return;
    void navigate({ to: '/apps/$appId/links', params: { appId }, ...(create && { search: { create: true } }) });
  };
  useHotkeys([
    ['?', help.open],
    ['shift+?', help.open],
    ['c', () => onLinks(true)],
    ['/', () => (focusSearch() ? undefined : onLinks(false))],
  ]);
  const pages = appPages.map(({ to, name }) => ({
    id: to,
    label: shell(name),
    onClick: () => void (appId !== undefined && navigate({ to, params: { appId } })),
  }));
  const { data: me } = useQuery(meQuery());
  const ofInstance = instancePages.map(({ to, name }) => ({
    id: to,
    label: shell(name),
    onClick: () => void navigate({ to }),
  }));
  const account = { id: '/account', label: shell('account'), onClick: () => void navigate({ to: '/account' }) };
  const toApps = apps.map(({ id, name }) => ({
    id,
    label: name,
    onClick: () => void navigate({ to: '/apps/$appId', params: { appId: id } }),
  }));
  return (
    <>
      <Spotlight
        shortcut="mod+K"
        highlightQuery
        actions={[
          ...(appId === undefined ? [] : [{ group: t('pages'), actions: pages }]),
          { group: t('apps'), actions: toApps },
          { group: shell('ofInstance'), actions: me?.person?.instanceOwner ? [account, ...ofInstance] : [account] },
        ]}
        nothingFound={t('nothing')}
        searchProps={{ placeholder: t('where'), 'aria-label': t('where') }}
        limit={12}
      />
      <Modal opened={helped} onClose={help.close} title={t('title')}>
        <Table>
          <Table.Tbody>
            {KEYS.map(({ key, name }) => (
              <Table.Tr key={key}>
                <Table.Td w={120}>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{t(name)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}

export const openPalette = spotlight.open;

const KEYS = [
  { key: '⌘K / Ctrl K', name: 'palette' },
  { key: '/', name: 'search' },
  { key: 'c', name: 'create' },
  { key: '?', name: 'help' },
] as const;

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  return field !== null;
}
