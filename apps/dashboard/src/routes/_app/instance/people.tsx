import type { Person } from '@landfall/api-client';
import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { CopyBlock } from '../../../parts/copy.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { Ago, browserZone } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/people')({ component: People });

function People() {
  const t = useTranslations('people');
  const query = api.useInfiniteQuery('get', '/api/manage/people', { params: { query: { limit: 50 } } }, cursorPages);
  const [forgetful, setForgetful] = useState<Person | null>(null);
  return (
    <Page title={t('title')}>
      <Loaded query={query} rows={8}>
        {({ pages }) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('person')}</Table.Th>
                  <Table.Th>{t('role')}</Table.Th>
                  <Table.Th>{t('since')}</Table.Th>
                  <Table.Th>{t('actions')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap((page) => page.people)
                  .map((person) => (
                    <Table.Tr key={person.id}>
                      <Table.Td>
                        {person.name}
                        <Text size="sm">{person.email}</Text>
                        {!person.emailVerified && <Badge color="gray.8">{t('unverified')}</Badge>}
                      </Table.Td>
                      <Table.Td>{person.instanceOwner && <Badge color="indigo.8">{t('owner')}</Badge>}</Table.Td>
                      <Table.Td>
                        <Ago at={person.createdAt} timeZone={browserZone} />
                      </Table.Td>
                      <Table.Td>
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => setForgetful(person)}
                          aria-label={t('resetNamed', { name: person.name })}
                        >
                          {t('reset')}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
      <More query={query} />
      <Modal opened={forgetful !== null} onClose={() => setForgetful(null)} title={t('reset')}>
        {forgetful && <Reset person={forgetful} />}
      </Modal>
    </Page>
  );
}

/** Only the operator may reset a password, so that no person can take the account of another in the web app. */
function Reset({ person }: { person: Person }) {
  const t = useTranslations('people');
  return (
    <Stack>
      <Text>{t('resetText', { name: person.name })}</Text>
      <CopyBlock value={`npm run landfall -- users reset-password ${person.email}`} label={t('copy')} />
    </Stack>
  );
}
