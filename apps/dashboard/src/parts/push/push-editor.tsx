import { Button, Fieldset, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { fieldsOf } from '../forms/form.tsx';
import { FailureAlert, Section } from '../page/page.tsx';
import { useCommand } from '../page/use-command.ts';
import { Preview } from './preview.tsx';
import { AUDIENCE_PATH, messageOf, type PushValues, targetOf } from './push-fields.ts';
import { AudienceFields, ContentFields } from './push-form.tsx';
import { NoCredentials } from './set-credentials.tsx';

interface PushEditorProps {
  form: UseFormReturnType<PushValues> & {
    submit: (event?: SyntheticEvent<HTMLFormElement>) => void;
    command: { isPending: boolean; error: unknown };
  };
  submit: string;
  timeHelp: string;
  /** The people or devices of the push, when nobody knows their names any more. */
  kept?: string | undefined;
  /** Stands before the button. */
  actions?: ReactNode;
  /** Windows that the form opens. */
  children?: ReactNode;
}

/** The form of a push, with its preview and a test. */
export function PushEditor({ form, submit, timeHelp, kept, actions, children }: PushEditorProps) {
  const t = useTranslations('push');
  const { id: appId, name } = useApp();
  const { values, command } = form;
  return (
    <form onSubmit={form.submit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <NoCredentials appId={appId} />
            <ContentFields form={form} />
            <Fieldset legend={t('audience')}>
              <Stack gap="sm">
                <AudienceFields form={form} kept={kept} />
                <Audience appId={appId} target={targetOf(values)} />
              </Stack>
            </Fieldset>
            <Fieldset legend={t('time')}>
              <TextInput type="datetime-local" {...fieldsOf(form, t)('scheduleAt')} description={timeHelp} />
            </Fieldset>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Preview appName={name} push={values} />
            <TestDevice
              appId={appId}
              content={() => (form.validateField('title').hasError ? null : messageOf(form.getValues()))}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            {command.error !== null && <FailureAlert error={command.error} />}
            <Group grow>
              {actions}
              <Button type="submit" loading={command.isPending}>
                {submit}
              </Button>
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
      {children}
    </form>
  );
}

const SHOWN_PEOPLE = 10;

/** The number of devices and the people without one, while the person chooses them. */
function Audience({ appId, target }: { appId: string; target: ReturnType<typeof targetOf> }) {
  const t = useTranslations('push');
  const [asked] = useDebouncedValue(target, 400);
  const { data, isError } = useQuery({
    ...api.queryOptions('post', AUDIENCE_PATH, {
      params: { path: { appId } },
      body: { target: asked ?? { all: true } },
    }),
    enabled: asked !== null,
  });
  const counted = asked !== null && data !== undefined && !isError;
  const without = counted ? data.usersWithoutDevice : [];
  const [shown, more] = [without.slice(0, SHOWN_PEOPLE), without.length - SHOWN_PEOPLE];
  return (
    <div role="status">
      <Text fw={600} mih={22}>
        {counted && t('count', { count: data.targeted, ios: data.byPlatform.ios, android: data.byPlatform.android })}
      </Text>
      {without.length > 0 && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {t('withoutDevice', { people: shown.join(', '), count: without.length, more: Math.max(0, more) })}
        </Text>
      )}
    </div>
  );
}

/** Sends the push as it stands to one person or device, which the browser remembers. */
function TestDevice({ appId, content }: { appId: string; content: () => ReturnType<typeof messageOf> | null }) {
  const t = useTranslations('push');
  const [to, setTo] = useLocalStorage({ key: `landfall-test-device-${appId}`, defaultValue: '' });
  const test = useCommand(async (message: ReturnType<typeof messageOf>) => {
    const target = to.includes('@') ? { userEmails: [to.trim()] } : { deviceTokens: [to.trim()] };
    const { data } = await client.POST('/api/push/send', { body: { appId, ...message, target, test: true } });
    const warnings = data?.warnings?.join(' ') ?? '';
    notifications.show({ message: `${t('testSent', { count: data?.targeted ?? 0 })} ${warnings}`.trim() });
  });
  return (
    <Section title={t('test')}>
      <TextInput
        label={t('testTo')}
        description={t('testHelp')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          disabled={to.trim() === ''}
          loading={test.isPending}
          onClick={() => {
            const message = content();
            if (message) test.mutate(message);
          }}
        >
          {t('sendTest')}
        </Button>
      </Group>
    </Section>
  );
}
