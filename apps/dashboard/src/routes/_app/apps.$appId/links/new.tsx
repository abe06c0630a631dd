import type { Link } from '@landfall/api-client';
import { Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../../../api/index.ts';
import { useAttemptKey } from '../../../../parts/forms/attempt-key.ts';
import { draftIn, OtherDrafts, useDrafts } from '../../../../parts/forms/form-drafts.tsx';
import { LinkBuilder } from '../../../../parts/links/builder/link-builder.tsx';
import { MadeLinks } from '../../../../parts/links/builder/made-links.tsx';
import { linkQuery } from '../../../../parts/links/queries.ts';
import {
  another,
  draftNameOf,
  type LinkValues,
  NO_LINK,
  newLinkOf,
  valuesOf,
} from '../../../../parts/links/values/link-values.ts';
import { NotAllowed, Page } from '../../../../parts/page/page.tsx';
import { useTouch } from '../../../../parts/page/use-touch.ts';

interface Search {
  /** The link whose content the form begins with. */
  like?: string;
  /** The draft that the form shows. */
  draft?: string;
}

export const Route = createFileRoute('/_app/apps/$appId/links/new')({
  validateSearch: ({ like, draft }: Record<string, unknown>): Search => ({
    ...(typeof like === 'string' && { like }),
    ...draftIn(draft),
  }),
  loaderDeps: ({ search: { like } }) => ({ like }),
  loader: ({ context: { queries }, deps: { like } }) =>
    like === undefined ? undefined : queries.ensureQueryData(linkQuery(like)),
  component: NewLink,
});

function NewLink() {
  const t = useTranslations('linkBuilder');
  const { like } = Route.useSearch();
  if (!useMay('member')) return <NotAllowed title={t('new')} needs="member" />;
  return like === undefined ? <Builder begin={NO_LINK} /> : <Like id={like} />;
}

function Like({ id }: { id: string }) {
  const { timeZone } = useApp();
  const { link } = useSuspenseQuery(linkQuery(id)).data;
  return <Builder key={id} begin={valuesOf(link, timeZone)} />;
}

/** The form as it was opened: each time it begins anew. */
interface Opened {
  count: number;
  draft: string | undefined;
  before: LinkValues;
  values: LinkValues;
}

function Builder({ begin }: { begin: LinkValues }) {
  const t = useTranslations('linkBuilder');
  const { id: appId, timeZone } = useApp();
  const { draft } = Route.useSearch();
  const navigate = Route.useNavigate();
  const drafts = useDrafts<LinkValues>('links');
  const keyOf = useAttemptKey();
  const hasTouch = useTouch();
  const [opened, open] = useState((): Opened => {
    const before = another(begin);
    return { count: 0, draft, before, values: { ...before, ...drafts.find(draft)?.values } };
  });
  const [made, setMade] = useState<Link[]>([]);
  const [sent, setSent] = useState<LinkValues | null>(null);
  const reopen = (before: LinkValues, values = before, draft?: string) =>
    open({ count: opened.count + 1, draft, before, values });
  const onDraft = useCallback(
    (draft: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, draft }), replace: true, resetScroll: false }),
    [navigate],
  );

  async function store(values: LinkValues): Promise<Link> {
    const body = newLinkOf(values, timeZone);
    const { data } = await client.POST('/api/manage/apps/{appId}/links', {
      params: { path: { appId }, header: { 'Idempotency-Key': keyOf(body) } },
      body,
    });
    return data!.link;
  }

  return (
    <Page title={t('new')}>
      {sent !== null && (
        <MadeLinks
          links={made}
          onAnother={() => {
            reopen(another(sent));
            setSent(null);
          }}
        />
      )}
      {sent === null && (
        <>
          {opened.count === 0 && (
            <OtherDrafts
              drafts={drafts}
              of="new"
              except={draft}
              nameOf={draftNameOf(t('unnamed'))}
              onContinue={({ id, before, values }) => {
                reopen(before, { ...NO_LINK, ...values }, id);
                onDraft(id);
              }}
            />
          )}
          <Text size="xs">
            {t('keys')} {!hasTouch && t('keysCreate')}
          </Text>
          <LinkBuilder
            key={opened.count}
            initial={opened.values}
            before={opened.before}
            drafts={drafts}
            draft={opened.draft}
            onDraft={onDraft}
            submit={t('submit')}
            store={store}
            onStored={(link, values) => {
              setMade((before) => [link, ...before]);
              setSent(values);
              onDraft(undefined);
            }}
          />
        </>
      )}
    </Page>
  );
}
