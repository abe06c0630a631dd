import { linkNameOf } from '@landfall/api-client/link-name';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, hasCode, useApp, useMay } from '../../../../api/index.ts';
import { rebased } from '../../../../parts/forms/drafts.ts';
import { draftIn, OtherDrafts, useDrafts } from '../../../../parts/forms/form-drafts.tsx';
import { LinkBuilder } from '../../../../parts/links/builder/link-builder.tsx';
import { linkQuery } from '../../../../parts/links/queries.ts';
import { changeOf, draftNameOf, type LinkValues, valuesOf } from '../../../../parts/links/values/link-values.ts';
import { PageButton } from '../../../../parts/page/links.tsx';
import { NotAllowed, Page } from '../../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/$appId/links/$linkId_/edit')({
  /** The draft that the form shows. */
  validateSearch: ({ draft }: Record<string, unknown>) => draftIn(draft),
  loader: ({ context: { queries }, params: { linkId } }) => queries.ensureQueryData(linkQuery(linkId)),
  component: EditLink,
});

function EditLink() {
  const t = useTranslations('linkBuilder');
  if (!useMay('member')) return <NotAllowed title={t('edit')} needs="member" />;
  return <Builder />;
}

/** Changes a link at the version that the person sees. Somebody else's later change is refused, and told. */
function Builder() {
  const t = useTranslations('linkBuilder');
  const { appId, linkId } = Route.useParams();
  const { timeZone } = useApp();
  const { draft } = Route.useSearch();
  const navigate = Route.useNavigate();
  const queries = useQueryClient();
  const drafts = useDrafts<LinkValues>('links');
  const { data } = useSuspenseQuery(linkQuery(linkId));
  const openWith = (link: typeof data.link, id: string | undefined, count: number) => {
    const before = valuesOf(link, timeZone);
    const known = drafts.find(id);
    return { count, draft: id, link, before, values: known ? rebased(known, before) : before };
  };
  const [{ count, draft: begun, link, before, values }, open] = useState(() => openWith(data.link, draft, 0));
  const onDraft = useCallback(
    (draft: string | undefined) => void navigate({ search: { draft }, replace: true, resetScroll: false }),
    [navigate],
  );

  async function store(values: LinkValues) {
    const { data } = await client.PATCH('/api/manage/links/{linkId}', {
      params: { path: { linkId }, header: { 'If-Match': `"${link.version}"` } },
      body: changeOf(link, values, timeZone),
    });
    return data!.link;
  }

  async function showLatest() {
    const latest = await queries.fetchQuery({ ...linkQuery(linkId), staleTime: 0 });
    open(openWith(latest.link, draft, count + 1));
  }

  return (
    <Page title={t('editNamed', { name: linkNameOf(link) })}>
      {count === 0 && (
        <OtherDrafts
          drafts={drafts}
          of={linkId}
          except={draft}
          nameOf={draftNameOf(t('unnamed'))}
          onContinue={({ id }) => {
            open(openWith(data.link, id, count + 1));
            onDraft(id);
          }}
        />
      )}
      <LinkBuilder
        key={count}
        initial={values}
        before={before}
        link={link}
        drafts={drafts}
        draft={begun}
        onDraft={onDraft}
        submit={t('save')}
        store={store}
        onStored={() => {
          notifications.show({ message: t('edited') });
          void navigate({ to: '/apps/$appId/links/$linkId', params: { appId, linkId } });
        }}
        actions={
          <PageButton variant="default" to="/apps/$appId/links/$linkId" params={{ appId, linkId }}>
            {t('cancel')}
          </PageButton>
        }
        wayOut={(error) =>
          hasCode(error, 'VERSION_MISMATCH') && (
            <Button variant="default" onClick={() => void showLatest()}>
              {t('showLatest')}
            </Button>
          )
        }
      />
    </Page>
  );
}
