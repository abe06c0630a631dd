import { ActionIcon, Button, Menu, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, CircleUserRound, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { appsQuery, mayIn, signOut, useMe } from '../../api/index.ts';
import { useFailureToast } from '../page/use-command.ts';
import { Finder } from './finder.tsx';
import classes from './shell.module.css';

/** The app of the page, and the way to another one. */
export function AppMenu({ appId }: { appId: string | undefined }) {
  const t = useTranslations('shell');
  const router = useRouter();
  const [isOpened, { toggle, close }] = useDisclosure();
  const [text, setText] = useState('');
  const { data: apps = [] } = useQuery(appsQuery());
  const current = apps.find(({ id }) => id === appId);
  const wanted = text.trim().toLowerCase();
  const found = apps.filter(({ name, subdomain }) => `${name} ${subdomain}`.toLowerCase().includes(wanted));
  const items = found.map(({ id, name, subdomain }) => ({ id, label: name, detail: subdomain, href: `/apps/${id}` }));
  const me = useMe();
  const mayAdd = me.kind !== 'visitor' && me.teams.some(({ id }) => mayIn(me, id, 'admin'));
  const added = { id: 'new', label: t('newApp'), href: '/apps/new' };
  return (
    <Popover
      position="bottom-start"
      width={300}
      withinPortal
      trapFocus
      returnFocus
      opened={isOpened}
      onDismiss={close}
      onExitTransitionEnd={() => setText('')}
    >
      <Popover.Target>
        <Button
          variant="default"
          miw={0}
          w={{ base: 150, sm: 220 }}
          justify="space-between"
          rightSection={<ChevronsUpDown size={16} aria-hidden />}
          aria-label={t('appNamed', { name: current?.name ?? t('none') })}
          title={current?.name}
          styles={{ label: { minWidth: 0 } }}
          onClick={toggle}
        >
          <span className={classes.name} dir="auto">
            {current?.name ?? t('app')}
          </span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Finder
          label={t('switch')}
          text={text}
          onText={setText}
          groups={[
            { name: t('apps'), items },
            { name: t('more'), items: mayAdd ? [added] : [] },
          ]}
          status={t('appsFound', { count: found.length })}
          onChoose={({ href }) => {
            close();
            router.history.push(href);
          }}
        />
      </Popover.Dropdown>
    </Popover>
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
