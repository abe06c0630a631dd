import type { Notification } from '@landfall/api-client';
import { Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { When } from '../time.tsx';

/** When a push is sent, or was ended. Of a cancelled one also the time that was planned. */
export function PushTime({ push }: { push: Pick<Notification, 'sendAt' | 'cancelledAt' | 'stoppedAt'> }) {
  const t = useTranslations('push');
  const format = useFormatter();
  const { sendAt, cancelledAt, stoppedAt } = push;
  return (
    <>
      <When at={cancelledAt ?? stoppedAt ?? sendAt} />
      {cancelledAt !== null && (
        <Text>
          {t('wasPlanned', { time: format.dateTime(new Date(sendAt), { dateStyle: 'medium', timeStyle: 'short' }) })}
        </Text>
      )}
    </>
  );
}
