import type { Notification } from '@landfall/api-client';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../../../api/index.ts';
import { useCommandForm } from '../../../../parts/forms/form.tsx';
import { PageButton } from '../../../../parts/page/links.tsx';
import { Loaded, NotAllowed, Page } from '../../../../parts/page/page.tsx';
import { notificationQuery } from '../../../../parts/push/notification.ts';
import { PushEditor } from '../../../../parts/push/push-editor.tsx';
import { changeOf, PUSH_NAMES, plannedValuesOf } from '../../../../parts/push/push-fields.ts';
import { usePushRules } from '../../../../parts/push/use-push-rules.ts';
import { useTargetText } from '../../../../parts/push/use-target-text.ts';

export const Route = createFileRoute('/_app/apps/$appId/push/$notificationId_/edit')({ component: EditPush });

function EditPush() {
  const t = useTranslations('push');
  const { notificationId } = Route.useParams();
  const query = useQuery({ ...notificationQuery(notificationId), refetchInterval: false });
  if (!useMay('member')) return <NotAllowed title={t('edit')} needs="member" />;
  return (
    <Page title={t('edit')}>
      <Loaded query={query}>{({ notification }) => <Edit latest={notification} />}</Loaded>
    </Page>
  );
}

/** Changes a push at the version that the person sees. Somebody else's later change is refused, and told. */
function Edit({ latest }: { latest: Notification }) {
  const t = useTranslations('push');
  const { timeZone } = useApp();
  const navigate = Route.useNavigate();
  const textOf = useTargetText();
  const [push] = useState(latest);
  const [before] = useState(() => plannedValuesOf(latest, timeZone));
  const toPush = {
    to: '/apps/$appId/push/$notificationId',
    params: { appId: push.appId, notificationId: push.id },
  } as const;
  const rules = usePushRules();
  const form = useCommandForm(t, {
    initialValues: before,
    validate: {
      ...rules,
      scheduleAt: (value) => (value === '' ? t('timeMissing') : rules.scheduleAt(value)),
    },
    fields: PUSH_NAMES,
    send: (values) =>
      client.PATCH('/api/manage/notifications/{notificationId}', {
        params: { path: { notificationId: push.id }, header: { 'If-Match': `"${push.version}"` } },
        body: changeOf(push, before, values, timeZone),
      }),
    onSuccess: () => {
      notifications.show({ message: t('edited') });
      void navigate(toPush);
    },
  });
  return (
    <PushEditor
      form={form}
      submit={t('save')}
      timeHelp={t('editTimeHelp', { timeZone })}
      kept={before.audience === 'kept' ? t('kept', { audience: textOf(push.target) }) : undefined}
      actions={
        <PageButton variant="default" {...toPush}>
          {t('leave')}
        </PageButton>
      }
    />
  );
}
