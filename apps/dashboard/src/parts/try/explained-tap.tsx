import type { paths } from '@landfall/api-client';
import { Alert, Badge, Code, List, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Section } from '../page/section.tsx';

type Explained = paths['/api/manage/explain']['get']['responses'][200]['content']['application/json'];

/** The rule, the steps, the answer and the page of a tap. */
export function ExplainedTap({ explained, pageUrl }: { explained: Explained; pageUrl: string }) {
  const t = useTranslations('try');
  const { rule, steps, opensApp, answer, device } = explained;
  return (
    <Stack>
      <Alert title={steps.find(({ step }) => step === 'rule')?.detail} role="note">
        <Text size="sm">
          {t('rule')} <Code>{rule}</Code>
        </Text>
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <Section title={t('steps')}>
            <List type="ordered" spacing="xs" style={{ overflowWrap: 'anywhere' }}>
              {steps.map(({ step, detail }) => (
                <List.Item key={step}>{detail}</List.Item>
              ))}
            </List>
          </Section>
          <Section title={opensApp ? t('answerOtherwise') : t('answer')}>
            <Answer answer={answer} userAgent={device.userAgent} />
          </Section>
        </Stack>
        {answer.page !== null && (
          <Section title={t('page')}>
            {/* No script runs in it, and it belongs to no origin. */}
            <iframe
              key={pageUrl}
              src={pageUrl}
              sandbox=""
              title={t('pageTitle', { page: answer.page })}
              style={{ width: '100%', height: 640, border: '1px solid var(--mantine-color-default-border)' }}
            />
          </Section>
        )}
      </SimpleGrid>
    </Stack>
  );
}

function Answer({ answer, userAgent }: { answer: Explained['answer']; userAgent: string }) {
  const t = useTranslations('try');
  const { status, url, counted, deferred, headers } = answer;
  const rows = [
    [t('status'), <Badge key="status">{status}</Badge>],
    ...(url === null ? [] : [[t('url'), url]]),
    [t('counted'), counted ? t('yes') : t('no')],
    [t('deferred'), deferred ? t('yes') : t('no')],
    [t('userAgent'), userAgent || t('none')],
    ...Object.entries(headers),
  ] as const;
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={160} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
