import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpen, Check, ChevronsUpDown, CircleUserRound, LogOut, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { appsQuery, signOut, useMe } from '../../api/index.ts';
import { useFailureToast } from '../page/use-command.ts';

/** The apps of the person. With many, the palette finds one faster. */
export function AppMenu({ appId }: { appId: string | undefined }) {
  const t = useTranslations('shell');
  const { data: apps = [] } = useQuery(appsQuery());
  const current = apps.find(({ id }) => id === appId);
  return (
    <Menu position="bottom-start" width={240} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          w={{ base: 170, sm: 220 }}
          justify="space-between"
          rightSection={<ChevronsUpDown size={16} aria-hidden />}
          aria-label={t('appNamed', { name: current?.name ?? t('none') })}
        >
          {current?.name ?? t('app')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {apps.map(({ id, name }) => (
          <Menu.Item
            key={id}
            renderRoot={(props) => <Link to="/apps/$appId" params={{ appId: id }} {...props} />}
            leftSection={id === appId ? <Check size={16} aria-hidden /> : <span style={{ width: 16 }} />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/apps/new" leftSection={<Plus size={16} aria-hidden />}>
          {t('newApp')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function PersonMenu() {
  const t = useTranslations('shell');
  const queries = useQueryClient();
  const tell = useFailureToast();
  const { person } = useMe();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('person', { name: person?.name ?? '' })}>
          <CircleUserRound size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person?.email}</Menu.Label>
        <Menu.Item leftSection={<CircleUserRound size={16} aria-hidden />} component={Link} to="/account">
          {t('account')}
        </Menu.Item>
        <Menu.Item leftSection={<BookOpen size={16} aria-hidden />} component={Link} to="/docs">
          {t('docs')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void signOut(queries).catch(tell)}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
