import { Button, Fieldset, Grid, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../../../api/index.ts';
import { useAttemptKey } from '../../../../parts/forms/attempt-key.ts';
import { objectOf } from '../../../../parts/forms/changes.ts';
import { useCommandForm } from '../../../../parts/forms/form.tsx';
import { type DraftOf, draftIn, OtherDrafts, useDraft, useDrafts } from '../../../../parts/forms/form-drafts.tsx';
import { Confirm } from '../../../../parts/page/buttons.tsx';
import { FailureAlert, Loaded, NotAllowed, Page, Section } from '../../../../parts/page/page.tsx';
import { useCommand } from '../../../../parts/page/use-command.ts';
import { notificationQuery, providersQuery } from '../../../../parts/push/notification.ts';
import { Preview } from '../../../../parts/push/preview.tsx';
import {
  messageOf,
  noPush,
  PUSH_NAMES,
  type PushValues,
  targetOf,
  timesOf,
  valuesOf,
} from '../../../../parts/push/push-fields.ts';
import { AudienceFields, ContentFields } from '../../../../parts/push/push-form.tsx';
import { NoCredentials, SetCredentials } from '../../../../parts/push/set-credentials.tsx';
import { instantIn } from '../../../../parts/time-zone.ts';

interface Search {
  /** The push whose content the form begins with. */
  like?: string;
  /** The draft that the form shows. */
  draft?: string;
}

export const Route = createFileRoute('/_app/apps/$appId/push/new')({
  validateSearch: ({ like, draft }: Record<string, unknown>): Search => ({
    ...(typeof like === 'string' && { like }),
    ...draftIn(draft),
  }),
  component: NewPush,
});

function NewPush() {
  const t = useTranslations('push');
  const { like } = Route.useSearch();
  const { appId } = Route.useParams();
  // Before the form, so that it does not move when the notice comes.
  const providers = useQuery(providersQuery(appId));
  if (!useMay('member')) return <NotAllowed title={t('new')} needs="member" />;
  return (
    <Page title={t('new')}>
      <Loaded query={providers}>{() => (like === undefined ? <Opened before={noPush} /> : <Like id={like} />)}</Loaded>
    </Page>
  );
}

function Like({ id }: { id: string }) {
  const query = useQuery({ ...notificationQuery(id), refetchInterval: false, staleTime: Number.POSITIVE_INFINITY });
  return <Loaded query={query}>{({ notification }) => <Opened before={valuesOf(notification)} />}</Loaded>;
}

/** The form as it is opened, perhaps with a draft. */
function Opened({ before }: { before: PushValues }) {
  const t = useTranslations('push');
  const { draft } = Route.useSearch();
  const navigate = Route.useNavigate();
  const drafts = useDrafts<PushValues>('pushes');
  const [form, open] = useState(() => ({
    count: 0,
    draft,
    before,
    initial: { ...before, ...drafts.find(draft)?.values },
  }));
  const onDraft = useCallback(
    (draft: string) => void navigate({ search: (before) => ({ ...before, draft }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <>
      {form.count === 0 && (
        <OtherDrafts
          drafts={drafts}
          of="new"
          except={draft}
          nameOf={({ title, body }) => title || body || t('unnamed')}
          onContinue={({ id, before, values }) => {
            open({ count: 1, draft: id, before, initial: { ...noPush, ...values } });
            onDraft(id);
          }}
        />
      )}
      <PushForm
        key={form.count}
        initial={form.initial}
        before={form.before}
        drafts={drafts}
        draft={form.draft}
        onDraft={onDraft}
      />
    </>
  );
}

interface PushFormProps extends DraftOf<PushValues> {
  initial: PushValues;
  /** The form without any entry. */
  before: PushValues;
}

function PushForm({ initial, before, ...kept }: PushFormProps) {
  const t = useTranslations('push');
  const { id: appId, name, timeZone } = useApp();
  const navigate = useNavigate();
  const keyOf = useAttemptKey();
  const queries = useQueryClient();
  const [reviewing, setReviewing] = useState(false);
  const form = useCommandForm(t, {
    initialValues: initial,
    validate: {
      title: (value, { silent }) => (!silent && value.trim() === '' ? t('titleMissing') : null),
      body: (value, { silent }) => (!silent && value.trim() === '' ? t('bodyMissing') : null),
      people: (value, { audience }) => (audience === 'people' && value.length === 0 ? t('peopleMissing') : null),
      tokens: (value, { audience }) => (audience === 'tokens' && value.length === 0 ? t('tokensMissing') : null),
      metadata: (value) => (objectOf(value) ? null : t('metadataInvalid')),
      localized: { language: (value) => (value.trim() === '' ? t('languageMissing') : null) },
    },
    send: async (values) => {
      const body = bodyOf(values);
      const [{ data: tried }, { data: counted }, { providers }] = await Promise.all([
        client.POST('/api/push/send', { body: { ...body, dryRun: true } }),
        client.POST(AUDIENCE, { params: { path: { appId } }, body: { target: body.target } }),
        queries.fetchQuery(providersQuery(appId)),
      ]);
      const reached = providers.map(({ kind }) => counted!.byKind[kind]).reduce((sum, count) => sum + count, 0);
      const { targeted } = counted!;
      return {
        reached,
        others: targeted - reached,
        warnings: tried!.warnings ?? [],
        noProviders: providers.length === 0,
      };
    },
    meta: { refetch: false },
    fields: PUSH_NAMES,
    onSuccess: () => setReviewing(true),
  });
  const { command: review } = form;
  const { values } = form;
  const endDraft = useDraft({ ...kept, of: 'new', initial, before, values });
  const bodyOf = (values: PushValues) => ({
    appId,
    ...messageOf(values),
    ...timesOf(values, timeZone),
    target: targetOf(values) ?? { all: true as const },
  });
  async function send() {
    const body = bodyOf(values);
    const { data } = await client.POST('/api/push/send', { body: { ...body, idempotencyKey: keyOf(body) } });
    endDraft();
    await navigate({
      to: '/apps/$appId/push/$notificationId',
      params: { appId, notificationId: data!.notificationId! },
    });
  }
  const { reached = 0, others = 0, warnings = [], noProviders = false } = review.data ?? {};
  const at = instantIn(values.scheduleAt, timeZone);
  return (
    <form onSubmit={form.submit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <NoCredentials appId={appId} />
            <ContentFields form={form} />
            <Fieldset legend={t('audience')}>
              <Stack gap="sm">
                <AudienceFields form={form} />
                <Audience appId={appId} target={targetOf(values)} />
              </Stack>
            </Fieldset>
            <Fieldset legend={t('time')}>
              <TextInput
                type="datetime-local"
                {...form.field('scheduleAt')}
                description={t('scheduleHelp', { timeZone })}
              />
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
            {review.error !== null && <FailureAlert error={review.error} />}
            <Button type="submit" loading={review.isPending}>
              {t('review')}
            </Button>
          </Stack>
        </Grid.Col>
      </Grid>
      <Confirm
        title={at !== null ? t('schedule') : noProviders ? t('log') : t('send')}
        opened={reviewing}
        onClose={() => setReviewing(false)}
        onConfirm={send}
        text={
          reached === 0 && others > 0
            ? t('reviewNone', { count: others })
            : [t('reviewText', { count: reached }), others > 0 && t('reviewOthers', { count: others })]
                .filter(Boolean)
                .join(' ')
        }
        // A later audience may have devices. A push without credentials is logged, so that developers can try it.
        mayConfirm={at !== null || reached + others > 0}
      >
        {!values.silent && (
          <div style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{values.title}</Text>
            <Text>{values.body}</Text>
          </div>
        )}
        {at !== null && <At at={at} timeZone={timeZone} />}
        {warnings.length > 0 && (
          <List size="sm">
            {warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        )}
        {noProviders && (
          <Text>
            {others > 0 && t('onlyLogged')} <SetCredentials appId={appId} />
          </Text>
        )}
      </Confirm>
    </form>
  );
}

function At({ at, timeZone }: { at: string; timeZone: string }) {
  const t = useTranslations('push');
  const format = useFormatter();
  const time = format.dateTime(new Date(at), { dateStyle: 'full', timeStyle: 'short', timeZone });
  return <Text size="md">{t('reviewAt', { time, timeZone })}</Text>;
}

const AUDIENCE = '/api/manage/apps/{appId}/notifications/audience';

/** The number of devices, while the person chooses them. */
function Audience({ appId, target }: { appId: string; target: ReturnType<typeof targetOf> }) {
  const t = useTranslations('push');
  const [asked] = useDebouncedValue(target, 400);
  const { data, isError } = useQuery({
    ...api.queryOptions('post', AUDIENCE, {
      params: { path: { appId } },
      body: { target: asked ?? { all: true } },
    }),
    enabled: asked !== null,
  });
  const counted = asked !== null && data !== undefined && !isError;
  return (
    <Text fw={600} role="status" mih={22}>
      {counted && t('count', { count: data.targeted, ios: data.byPlatform.ios, android: data.byPlatform.android })}
    </Text>
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
