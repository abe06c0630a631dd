import type { Person } from '@landfall/api-client';
import { Group, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client } from '../../../api/index.ts';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { CopyBlock } from '../../../parts/copy.tsx';
import { RowConfirm, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/people')({ component: People });

function People() {
  const t = useTranslations('people');
  const query = api.useInfiniteQuery('get', '/api/manage/people', { params: { query: { limit: 50 } } }, cursorPages);
  return (
    <Page title={t('title')}>
      <Loaded query={query} rows={8}>
        {({ people }) => (
          <DataTable
            t={t}
            minWidth={680}
            rows={people}
            columns={{
              person: (person) => <PersonCell {...person} />,
              role: ({ instanceOwner }) => instanceOwner && t('owner'),
              secondFactor: ({ secondFactor }) => t(secondFactor ? 'yes' : 'no'),
              since: ({ createdAt }) => <Ago at={createdAt} />,
              actions: (person) => (
                <Group gap="xs">
                  <WindowButton {...rowButton} title={t('reset')} aria-label={t('resetNamed', { name: person.name })}>
                    {() => <Reset person={person} />}
                  </WindowButton>
                  {person.secondFactor && (
                    <RowConfirm
                      act="removeFactor"
                      t={t}
                      of={{ name: person.name }}
                      onConfirm={() => removeFactor(person.email)}
                    />
                  )}
                </Group>
              ),
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

const removeFactor = (email: string) => client.POST('/api/manage/people/remove-second-factor', { body: { email } });

/** Only the operator may reset a password, so that no person can take the account of another in the web app. */
function Reset({ person }: { person: Person }) {
  const t = useTranslations('people');
  return (
    <Stack>
      <Text size="md">{t('resetText', { name: person.name })}</Text>
      <CopyBlock value={`npm run landfall -- users reset-password ${person.email}`} label={t('copy')} />
    </Stack>
  );
}
