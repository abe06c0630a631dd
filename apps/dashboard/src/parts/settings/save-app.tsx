import type { paths } from '@landfall/api-client';
import { Button, Fieldset, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { client, hasCode, useApp, useMay } from '../../api/index.ts';
import { stored } from '../forms/changes.ts';
import { useFormCommand } from '../forms/form.tsx';
import { Confirm } from '../page/buttons.tsx';
import { FailureAlert } from '../page/page.tsx';
import type { SettingsOf } from './use-settings.ts';

type Change = paths['/api/manage/apps/{appId}']['patch']['requestBody']['content']['application/json'];
type Fields = Record<string, unknown>;

interface SettingsFormProps<Values extends Fields> {
  /** Its values have the shape of the app, as `entered` returns them. Only what a person changed is sent. */
  settings: SettingsOf<Values>;
  /** The fields that codes are about, as for `useFormCommand`. */
  fields?: Readonly<Record<string, keyof Values & string>>;
  /** The texts of this part of the settings. */
  t: (key: 'title' | 'saved') => string;
  /** Without this right, nobody can enter anything. Default: to change the app. */
  mayEnter?: boolean;
  children: ReactNode;
}

/** A form for a part of the settings of an app. When somebody else was faster, it offers to show their version. */
export function SettingsForm<Values extends Fields>(props: SettingsFormProps<Values>) {
  const { settings, fields = {}, t, children } = props;
  const { form, changes, isChanged, takeBack, forget } = settings;
  const words = useTranslations('settings');
  const queries = useQueryClient();
  const app = useApp();
  const mayChange = useMay('admin');
  const { mayEnter = mayChange } = props;
  const save = useFormCommand(form, {
    mutationFn: () =>
      client.PATCH('/api/manage/apps/{appId}', {
        params: { path: { appId: app.id }, header: { 'If-Match': `"${app.version}"` } },
        body: stored(changes) as Change,
      }),
    fields,
    onSuccess: () => {
      forget();
      notifications.show({ message: t('saved') });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" m={0} p={0} miw={0} disabled={!mayEnter} aria-label={t('title')}>
        <Stack>
          {children}
          {save.error !== null && <FailureAlert error={save.error} />}
          {hasCode(save.error, 'VERSION_MISMATCH') && (
            <Button variant="default" onClick={() => void queries.invalidateQueries()}>
              {words('reload')}
            </Button>
          )}
          {mayChange && isChanged && (
            <Paper withBorder shadow="md" p="xs" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
              <Group justify="space-between" gap="xs">
                <Text role="status">{words('changed')}</Text>
                <Group gap="xs">
                  <Button variant="default" onClick={takeBack}>
                    {words('takeBack')}
                  </Button>
                  <Button type="submit" loading={save.isPending}>
                    {words('save')}
                  </Button>
                </Group>
              </Group>
            </Paper>
          )}
        </Stack>
      </Fieldset>
      {mayChange && <Leaving isChanged={isChanged && !save.isSuccess} />}
    </form>
  );
}

/** Asks a person who leaves the page before the changes are saved. A reload keeps them without a question. */
function Leaving({ isChanged }: { isChanged: boolean }) {
  const t = useTranslations('settings');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <Confirm
      title={t('leave')}
      text={t('leaveText')}
      action={t('leaveNow')}
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={async () => blocker.proceed?.()}
    />
  );
}
