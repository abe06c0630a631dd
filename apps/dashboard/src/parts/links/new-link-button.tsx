import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { PageButton } from '../page/links.tsx';

export function NewLinkButton() {
  const t = useTranslations('links');
  const { id: appId } = useApp();
  return (
    <PageButton
      leftSection={<Plus size={16} aria-hidden />}
      title={t('createKey')}
      aria-keyshortcuts="c"
      to="/apps/$appId/links/new"
      params={{ appId }}
    >
      {t('create')}
    </PageButton>
  );
}
