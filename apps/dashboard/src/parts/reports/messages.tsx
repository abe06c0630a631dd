import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago } from '../time.tsx';
import { type Channel, messagesQuery } from './shared.tsx';

/** The last messages, and why some did not arrive. */
export function Messages({ channels }: { channels: readonly Channel[] }) {
  const t = useTranslations('messages');
  const { id: appId } = useApp();
  const query = useQuery(messagesQuery(appId));
  const nameOf = (id: string | null) => channels.find((channel) => channel.id === id)?.name ?? t('removedChannel');
  return (
    <Section title={t('title')}>
      <Loaded query={query} rows={3}>
        {({ messages }) => (
          <DataTable
            t={t}
            minWidth={680}
            rows={messages}
            empty={t('empty')}
            columns={{
              what: ({ title, kind }) => title || t(`kinds.${kind}`),
              to: ({ channelId }) => nameOf(channelId),
              state: (message) => (
                <>
                  <State words={states.message} of={message.state} t={(word) => t(`states.${word}`)} />
                  {message.why !== null && <Text>{message.why}</Text>}
                  {message.nextAt !== null && message.why !== null && (
                    <Text component="div">
                      {t('again')} <Ago at={message.nextAt} />
                    </Text>
                  )}
                </>
              ),
              time: ({ createdAt }) => <Ago at={createdAt} />,
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
