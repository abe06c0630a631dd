import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { capital } from '../../../../parts/capital.ts';
import { Marked, Method, Word } from '../../../../parts/docs/fields.tsx';
import { type Reference, referenceQuery } from '../../../../parts/docs/reference.ts';
import { wordsOf } from '../../../../parts/docs/search.ts';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageLink } from '../../../../parts/page/links.tsx';
import { Loaded, Page, Section } from '../../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/docs/api/')({
  validateSearch: wordsOf,
  // The menu lists the groups, too: nothing moves when they are there. The page says why there are none.
  loader: ({ context: { queries } }) => queries.prefetchQuery(referenceQuery()),
  component: ApiPage,
});

function ApiPage() {
  const t = useTranslations('docs');
  const { q = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const reference = useQuery(referenceQuery());
  return (
    <Page title={t('api')}>
      <Loaded query={reference} rows={20}>
        {(data) => (
          <>
            <Stack gap="xs" maw={820}>
              {data.description.split('\n\n').map((text) => (
                <Text size="md" key={text}>
                  <Marked text={text} />
                </Text>
              ))}
              <Group gap="xs">
                <Word>{data.url}</Word>
                <Anchor href="/openapi.json">{t('document')}</Anchor>
              </Group>
            </Stack>
            <TextInput
              id="search"
              type="search"
              label={t('filter')}
              defaultValue={q}
              maw={400}
              onChange={({ currentTarget: { value } }) =>
                void navigate({ search: value ? { q: value } : {}, replace: true, resetScroll: false })
              }
            />
            <Groups reference={data} words={q} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Pixels of the header, which stays above the page. */
const HEADER = 68;

function Groups({ reference, words }: { reference: Reference; words: string }) {
  const t = useTranslations('docs');
  const fits = (text: string) => words.split(/\s+/).every((word) => text.toLowerCase().includes(word.toLowerCase()));
  const shown = reference.groups
    .map(({ operations, ...group }) => ({
      ...group,
      operations: operations.filter(({ method, path, summary }) => fits(`${group.tag} ${method} ${path} ${summary}`)),
    }))
    .filter(({ operations }) => operations.length > 0);
  if (shown.length === 0) return <Text role="status">{t('noOperation')}</Text>;
  const lists = shown.map(({ tag, description, operations }) => (
    <div key={tag} id={tag} style={{ scrollMarginTop: HEADER }}>
      <Section title={capital(tag)}>
        <Text>{description}</Text>
        <DataTable
          minWidth={320}
          verticalSpacing={6}
          rows={operations}
          rowKey="operationId"
          columns={{
            method: { w: 90, cell: ({ method }) => <Method name={method} /> },
            operation: ({ operationId, path, title }) => (
              <>
                <PageLink to="/docs/api/$operation" params={{ operation: operationId }}>
                  <Marked text={title} />
                </PageLink>
                <Text ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {path}
                </Text>
              </>
            ),
          }}
        />
      </Section>
    </div>
  ));
  return (
    <>
      <Group component="nav" aria-label={t('groupsOfApi')} gap="4px 16px" hiddenFrom="md">
        {shown.map(({ tag }) => (
          <PageLink key={tag} size="sm" to="/docs/api" search={(before) => before} hash={tag}>
            {capital(tag)}
          </PageLink>
        ))}
      </Group>
      {lists}
    </>
  );
}
