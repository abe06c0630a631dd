import type { Link } from '@landfall/api-client';
import { useTranslations } from 'use-intl';
import { PageButton } from '../page/links.tsx';

/** Leads to the form of a link, and to that of one more like it. */
export function EditLink({ link: { id: linkId, appId } }: { link: Link }) {
  const t = useTranslations('link');
  return (
    <>
      <PageButton variant="default" to="/apps/$appId/links/$linkId/edit" params={{ appId, linkId }}>
        {t('edit')}
      </PageButton>
      <PageButton variant="default" to="/apps/$appId/links/new" params={{ appId }} search={{ like: linkId }}>
        {t('duplicate')}
      </PageButton>
    </>
  );
}
