import { Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { FailureAlert, Loaded } from '../page/page.tsx';
import type { Channel, Report } from './shared.tsx';

interface ReportPreviewProps {
  report: Report;
  channels: readonly Channel[];
  onClose: () => void;
}

/** The content of a report as of now, and a button that sends it. */
export function ReportPreview({ report: { id: reportId, channelIds }, channels, onClose }: ReportPreviewProps) {
  const t = useTranslations('reportList');
  const { id: appId } = useApp();
  const path = { params: { path: { appId, reportId } } };
  const query = api.useQuery('get', '/api/manage/apps/{appId}/reports/{reportId}/preview', path);
  const receivers = channels.filter(({ id }) => channelIds.includes(id)).map(({ name }) => name);
  const send = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/reports/{reportId}/send', path),
    onSuccess() {
      notifications.show({ message: t('onItsWay') });
      onClose();
    },
  });
  return (
    <Stack>
      <Loaded query={query} rows={8}>
        {({ message: { title, lines, sections, notes } }) => (
          <Paper withBorder p="md" style={{ overflowWrap: 'anywhere' }}>
            <Stack gap="sm">
              <Text fw={600}>{title}</Text>
              <Lines texts={lines} />
              {sections.map((section) => (
                <div key={section.title}>
                  <Text fw={600}>{section.title}</Text>
                  <Lines texts={section.rows.map(([name, figures]) => `${name}: ${figures}`)} />
                </div>
              ))}
              <Text c="dimmed">{notes.join(' ')}</Text>
            </Stack>
          </Paper>
        )}
      </Loaded>
      <Text>{receivers.length === 0 ? t('noReceiver') : t('goesTo', { names: receivers.join(', ') })}</Text>
      {send.isError && <FailureAlert error={send.error} />}
      <Group justify="flex-end">
        <Button disabled={receivers.length === 0} loading={send.isPending} onClick={() => send.mutate()}>
          {t('sendNow')}
        </Button>
      </Group>
    </Stack>
  );
}

const Lines = ({ texts }: { texts: readonly string[] }) => (
  <List listStyleType="none" size="sm">
    {texts.map((text, place) => (
      <List.Item key={place}>{text}</List.Item>
    ))}
  </List>
);
