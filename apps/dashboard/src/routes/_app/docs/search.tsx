import { Highlight, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { referenceQuery } from '../../../parts/docs/reference.ts';
import { excerpt, guideTextsQuery, searchOver, wordsOf } from '../../../parts/docs/search.ts';
import { PageLink } from '../../../parts/page/links.tsx';
import { Loaded, Page } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/docs/search')({
  validateSearch: wordsOf,
  component: SearchPage,
});

function SearchPage() {
  const t = useTranslations('docs');
  const { q = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const texts = useQuery(guideTextsQuery());
  return (
    <Page title={t('search')}>
      <TextInput
        id="search"
        type="search"
        aria-label={t('searchLabel')}
        placeholder={t('searchLabel')}
        defaultValue={q}
        data-autofocus
        autoFocus
        maw={560}
        onChange={({ currentTarget: { value } }) => void navigate({ search: value ? { q: value } : {}, replace: true })}
      />
      {q !== '' && <Loaded query={texts}>{(data) => <Results texts={data} words={q} />}</Loaded>}
    </Page>
  );
}

function Results({ texts, words }: { texts: Parameters<typeof searchOver>[0]; words: string }) {
  const t = useTranslations('docs');
  // Without the reference, the guides are still found.
  const { data: reference } = useQuery(referenceQuery());
  const search = useMemo(() => searchOver(texts, reference), [texts, reference]);
  const asked = useDeferredValue(words);
  const { hasAll, found } = search(asked);
  return (
    <>
      <Text role="status">{t(hasAll || found.length === 0 ? 'found' : 'some', { count: found.length })}</Text>
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        {found.map(({ href, title, heading, text, words: marked }) => (
          <li key={href}>
            <PageLink to={href} fw={600}>
              {heading === '' ? title : t('inGuide', { title, heading })}
            </PageLink>
            <Highlight size="sm" highlight={marked} maw={720} style={{ overflowWrap: 'anywhere' }}>
              {excerpt(text, marked)}
            </Highlight>
          </li>
        ))}
      </Stack>
    </>
  );
}
