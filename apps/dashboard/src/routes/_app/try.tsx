import type { paths } from '@landfall/api-client';
import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  List,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, hasCode, meQuery } from '../../api/index.ts';
import { latestLinkQuery } from '../../parts/links/queries.ts';
import { Facts } from '../../parts/page/data-table.tsx';
import { Disclosure } from '../../parts/page/disclosure.tsx';
import { Loaded, Page, Section, Waiting } from '../../parts/page/page.tsx';
import { useShownApp } from '../../parts/shell/last-app.ts';
import { resultOf } from '../../parts/try/result.ts';

interface Search {
  link?: string;
  device?: string;
  installed?: true;
}

export const Route = createFileRoute('/_app/try')({
  validateSearch: ({ link, device, installed }: Record<string, unknown>): Search => ({
    ...(typeof link === 'string' && link !== '' && { link }),
    ...(typeof device === 'string' && { device }),
    ...(installed === true && { installed }),
  }),
  component: Try,
});

/** The effect of a tap on each device. No page of the app: everyone may see it where the app allows it. */
function Try() {
  const t = useTranslations('try');
  const { link: asked } = Route.useSearch();
  const newest = useNewest(asked === undefined);
  const link = asked ?? newest.url;
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      {newest.isLoading ? (
        <Waiting rows={4} />
      ) : (
        <>
          <LinkField key={link} link={link} />
          <Choices />
          {link !== undefined && <Result link={link} />}
        </>
      )}
    </Page>
  );
}

/** The newest link of the app that the menu shows, which people try unless they say another one. */
function useNewest(isWanted: boolean) {
  const { data: me } = useQuery({ ...meQuery(), enabled: false });
  const appId = useShownApp(me);
  const { isLoading, data } = useQuery({ ...latestLinkQuery(appId ?? ''), enabled: isWanted && appId !== undefined });
  return { isLoading, url: isWanted ? data?.links[0]?.url : undefined };
}

function LinkField({ link = '' }: { link: string | undefined }) {
  const t = useTranslations('try');
  const navigate = useNavigate();
  const search = Route.useSearch();
  const [text, setText] = useState(link);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const link = text.trim();
        // People copy an address without its beginning.
        const whole = /^https?:\/\//i.test(link) ? link : `${location.protocol}//${link}`;
        void navigate({ to: '/try', search: { ...search, link: whole } });
      }}
    >
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={240}
          inputMode="url"
          label={t('link')}
          placeholder="https://app.links.example/1763737445000-abcdefghijkl"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          required
        />
        <Button type="submit">{t('submit')}</Button>
      </Group>
    </form>
  );
}

const DEVICE = 'iphone-safari';

function Choices() {
  const t = useTranslations('try');
  const navigate = useNavigate();
  const search = Route.useSearch();
  const { data } = api.useQuery('get', '/api/manage/explain/devices', {}, { staleTime: Number.POSITIVE_INFINITY });
  const change = (changed: Search) => void navigate({ to: '/try', search: { ...search, ...changed }, replace: true });
  const devices = data?.devices ?? [];
  const groups = [...new Set(devices.map(({ group }) => group))].map((group) => ({
    group: t(`groups.${group}`),
    items: devices.filter((device) => device.group === group).map(({ id, name }) => ({ value: id, label: name })),
  }));
  return (
    <Group align="flex-end">
      <Select
        flex={1}
        miw={240}
        maw={420}
        label={t('device')}
        data={groups}
        value={search.device ?? DEVICE}
        onChange={(device) => device !== null && change({ device })}
        searchable
        nothingFoundMessage={t('noDevice')}
      />
      <Switch
        mb={8}
        label={t('installed')}
        checked={search.installed === true}
        onChange={({ currentTarget: { checked } }) => change({ installed: checked || undefined })}
      />
    </Group>
  );
}

function Result({ link }: { link: string }) {
  const t = useTranslations('try');
  const { device = DEVICE, installed = false } = Route.useSearch();
  const query = { link, device, installed: installed ? 'true' : 'false' } as const;
  const asked = api.useQuery(
    'get',
    '/api/manage/explain',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  if (hasCode(asked.error, 'NOT_SIGNED_IN'))
    return (
      <Text size="md">
        {t('signInFirst')}{' '}
        <Anchor href={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`}>{t('signIn')}</Anchor>
      </Text>
    );
  return (
    <Stack>
      <Loaded query={asked} rows={8}>
        {(explained) => (
          <ExplainedTap explained={explained} pageUrl={`/api/manage/explain/page?${new URLSearchParams(query)}`} />
        )}
      </Loaded>
    </Stack>
  );
}

type Explained = paths['/api/manage/explain']['get']['responses'][200]['content']['application/json'];

function ExplainedTap({ explained, pageUrl }: { explained: Explained; pageUrl: string }) {
  const t = useTranslations('try');
  const { rule, steps, opensApp, answer, device } = explained;
  const { word, place } = resultOf(explained);
  return (
    <Stack>
      <Alert
        title={
          <Text fw={700} size="lg" style={{ overflowWrap: 'anywhere' }}>
            {t(`results.${word}`, { place })}
          </Text>
        }
        role="note"
      >
        <Text>{steps.find(({ step }) => step === 'rule')?.detail}</Text>
        <Text>
          {t('rule')} <Code>{rule}</Code>
        </Text>
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Section title={t('steps')}>
          <List type="ordered" size="sm" spacing="xs" style={{ overflowWrap: 'anywhere' }}>
            {steps.map(({ step, detail }) => (
              <List.Item key={step}>{detail}</List.Item>
            ))}
          </List>
        </Section>
        <Section title={opensApp ? t('answerOtherwise') : t('answer')}>
          <Answer answer={answer} />
          {answer.page !== null && (
            // No script runs in it, and it belongs to no origin.
            <iframe
              key={pageUrl}
              src={pageUrl}
              sandbox=""
              title={t('pageTitle', { page: answer.page })}
              style={{ width: '100%', height: 640, border: '1px solid var(--mantine-color-default-border)' }}
            />
          )}
          <Disclosure summary={<Text span>{t('headers')}</Text>}>
            <Facts of={{ [t('userAgent')]: device.userAgent || t('none'), ...answer.headers }} />
          </Disclosure>
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Answer({ answer }: { answer: Explained['answer'] }) {
  const t = useTranslations('try');
  const { status, url, counted, deferred } = answer;
  return (
    <Facts
      of={{
        [t('status')]: status,
        ...(url !== null && { [t('url')]: url }),
        [t('counted')]: counted ? t('yes') : t('no'),
        [t('deferred')]: deferred ? t('yes') : t('no'),
      }}
    />
  );
}
