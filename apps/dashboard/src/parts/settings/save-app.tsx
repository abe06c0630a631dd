import type { paths } from '@landfall/api-client';
import { Button, Fieldset, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { client, hasCode, useApp, useMay } from '../../api/index.ts';
import { changesOf, stored } from '../forms/changes.ts';
import { useFormCommand } from '../forms/form.tsx';
import { FailureAlert } from '../page/page.tsx';

type Change = paths['/api/manage/apps/{appId}']['patch']['requestBody']['content']['application/json'];
type Fields = Record<string, unknown>;

interface SettingsFormProps<Values extends Fields> {
  /** Its values have the shape of the app, as `entered` returns them. Only what a person changed is sent. */
  form: UseFormReturnType<Values>;
  /** The fields that codes are about, as for `useFormCommand`. */
  fields?: Readonly<Record<string, keyof Values & string>>;
  /** The texts of this part of the settings. */
  t: (key: 'title' | 'save' | 'saved') => string;
  /** Without this right, nobody can enter anything. Default: to change the app. */
  mayEnter?: boolean;
  /** Beside the button that saves. */
  actions?: ReactNode;
  /** Below the buttons. */
  below?: ReactNode;
  children: ReactNode;
}

/** A form for a part of the settings of an app. When somebody else was faster, it offers to show their version. */
export function SettingsForm<Values extends Fields>(props: SettingsFormProps<Values>) {
  const { form, fields = {}, t, actions, below, children } = props;
  const words = useTranslations('settings');
  const queries = useQueryClient();
  const app = useApp();
  const mayChange = useMay('admin');
  const { mayEnter = mayChange } = props;
  const save = useFormCommand(form, {
    mutationFn: (values) =>
      client.PATCH('/api/manage/apps/{appId}', {
        params: { path: { appId: app.id }, header: { 'If-Match': `"${app.version}"` } },
        body: stored(changesOf(form.getInitialValues(), values)) as Change,
      }),
    fields,
    onSuccess: () => void notifications.show({ message: t('saved') }),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={!mayEnter} aria-label={t('title')}>
        <Stack maw={640}>
          {children}
          {save.error !== null && <FailureAlert error={save.error} />}
          {hasCode(save.error, 'VERSION_MISMATCH') && (
            <Button variant="default" onClick={() => void queries.invalidateQueries()}>
              {words('reload')}
            </Button>
          )}
          {mayEnter && (
            <Group>
              {mayChange && (
                <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                  {t('save')}
                </Button>
              )}
              {actions}
            </Group>
          )}
          {below}
        </Stack>
      </Fieldset>
    </form>
  );
}
