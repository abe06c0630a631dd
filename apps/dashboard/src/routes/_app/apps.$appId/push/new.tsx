import { List, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../../../api/index.ts';
import { useAttemptKey } from '../../../../parts/forms/attempt-key.ts';
import { useCommandForm } from '../../../../parts/forms/form.tsx';
import { type DraftOf, draftIn, OtherDrafts, useDraft, useDrafts } from '../../../../parts/forms/form-drafts.tsx';
import { Confirm } from '../../../../parts/page/buttons.tsx';
import { Loaded, NotAllowed, Page } from '../../../../parts/page/page.tsx';
import { notificationQuery, providersQuery } from '../../../../parts/push/notification.ts';
import { PushEditor } from '../../../../parts/push/push-editor.tsx';
import {
  AUDIENCE_PATH,
  messageOf,
  noPush,
  PUSH_NAMES,
  type PushValues,
  targetOf,
  timesOf,
  valuesOf,
} from '../../../../parts/push/push-fields.ts';
import { SetCredentials } from '../../../../parts/push/set-credentials.tsx';
import { usePushRules } from '../../../../parts/push/use-push-rules.ts';
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
  const { id: appId, timeZone } = useApp();
  const navigate = useNavigate();
  const keyOf = useAttemptKey();
  const queries = useQueryClient();
  const [reviewing, setReviewing] = useState(false);
  const form = useCommandForm(t, {
    initialValues: initial,
    validate: usePushRules(),
    send: async (values) => {
      const body = bodyOf(values);
      const [{ data: tried }, { data: counted }, { providers }] = await Promise.all([
        client.POST('/api/push/send', { body: { ...body, dryRun: true } }),
        client.POST(AUDIENCE_PATH, { params: { path: { appId } }, body: { target: body.target } }),
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
    // The window may have been open for long.
    if (form.validateField('scheduleAt').hasError) return;
    const body = bodyOf(values);
    const { data } = await client.POST('/api/push/send', { body: { ...body, idempotencyKey: keyOf(body) } });
    endDraft();
    await navigate({
      to: '/apps/$appId/push/$notificationId',
      params: { appId, notificationId: data!.notificationId! },
    });
  }
  const { reached = 0, others = 0, warnings = [], noProviders = false } = review.data ?? {};
  const given = instantIn(values.scheduleAt, timeZone);
  const at = given !== null && Date.parse(given) > Date.now() ? given : null;
  return (
    <PushEditor form={form} submit={t('review')} timeHelp={t('scheduleHelp', { timeZone })}>
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
    </PushEditor>
  );
}

function At({ at, timeZone }: { at: string; timeZone: string }) {
  const t = useTranslations('push');
  const format = useFormatter();
  const time = format.dateTime(new Date(at), { dateStyle: 'full', timeStyle: 'short', timeZone });
  return <Text size="md">{t('reviewAt', { time, timeZone })}</Text>;
}
