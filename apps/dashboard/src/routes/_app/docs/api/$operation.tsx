import { Accordion, Grid, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { sample } from 'openapi-sampler';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { CopyBlock } from '../../../../parts/copy.tsx';
import { Field, Fields, Marked, Method, Word } from '../../../../parts/docs/fields.tsx';
import {
  accessOf,
  type Operation,
  operationOf,
  placeOf,
  type Reference,
  referenceQuery,
  type Schema,
} from '../../../../parts/docs/reference.ts';
import { TryIt } from '../../../../parts/docs/try-it.tsx';
import { FailedPage, NotFoundPage } from '../../../../parts/page/failed-page.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { Page, Section } from '../../../../parts/page/page.tsx';

/** It names a document that readers of the page do not have. */
const OF_CODE = /^Section [\d.]+ of the interface specification\.$/;

export const Route = createFileRoute('/_app/docs/api/$operation')({
  async loader({ context: { queries }, params: { operation } }) {
    const reference = await queries.ensureQueryData(referenceQuery());
    if (operationOf(reference, operation) === undefined) throw notFound();
  },
  errorComponent: FailedPage,
  notFoundComponent: NotFoundPage,
  component: OperationPage,
});

function OperationPage() {
  const t = useTranslations('docs');
  const { operation: id } = Route.useParams();
  const { data: reference } = useSuspenseQuery(referenceQuery());
  const operation = operationOf(reference, id)!;
  const { title, more, description, method, path, requestBody } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return (
    <Page title={title.replaceAll('`', '')}>
      <Stack gap={4}>
        <Group gap="xs">
          <Method name={method} />
          <Word fz="sm">{path}</Word>
        </Group>
        {more !== '' && (
          <Text size="md">
            <Marked text={more} />
          </Text>
        )}
        {description && !OF_CODE.test(description) && <Text size="md">{description}</Text>}
        <Text size="md">{t(`access.${accessOf(operation)}`)}</Text>
        <Text>
          <PageLink to="/docs/api">{t('allOf')}</PageLink>
        </Text>
      </Stack>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="lg">
            <Parameters reference={reference} operation={operation} />
            {body && (
              <Section title={t('body')}>
                <Fields reference={reference} schema={body} sent />
              </Section>
            )}
            <Answers reference={reference} operation={operation} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <TryIt key={id} reference={reference} operation={operation} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Parameters({ reference, operation: { parameters = [] } }: { reference: Reference; operation: Operation }) {
  const t = useTranslations('docs');
  if (parameters.length === 0) return null;
  return (
    <Section title={t('parameters')}>
      {parameters.map((parameter) => (
        <div key={placeOf(parameter)}>
          <Field
            reference={reference}
            name={parameter.name}
            schema={{ ...parameter.schema, ...(parameter.description && { description: parameter.description }) }}
            required={parameter.required ?? false}
            sent
          />
          <Text>{t(`places.${parameter.in}`)}</Text>
        </div>
      ))}
    </Section>
  );
}

function Answers({ reference, operation: { responses } }: { reference: Reference; operation: Operation }) {
  const t = useTranslations('docs');
  const answers = Object.entries(responses);
  return (
    <Section title={t('answers')}>
      <Accordion multiple defaultValue={answers.slice(0, 1).map(([status]) => status)} keepMounted={false}>
        {answers.map(([status, { description, content }]) => (
          <Accordion.Item key={status} value={status}>
            <Accordion.Control>
              <Group gap="xs">
                <Word fw={600}>{status}</Word>
                <Text style={{ overflowWrap: 'anywhere' }}>
                  <Marked text={description} />
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {Object.entries(content ?? {}).map(([type, { schema, example }]) => (
                <Stack key={type} gap="sm">
                  <Text>{type}</Text>
                  <Fields reference={reference} schema={schema} />
                  {type === 'application/json' && <Example reference={reference} schema={schema} example={example} />}
                </Stack>
              ))}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}

/** The example of the document, or one with the types of the schema. */
function Example({ reference, schema, example }: { reference: Reference; schema: Schema; example: unknown }) {
  const t = useTranslations('docs');
  const text = useMemo(
    () => JSON.stringify(example ?? sample(schema as Parameters<typeof sample>[0], {}, reference.document), null, 2),
    [example, schema, reference],
  );
  return <CopyBlock value={text} label={t('copyExample')} />;
}
