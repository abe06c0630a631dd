// Saved views of a page: what its address says, by a name.
import { Button, Menu, Modal } from '@mantine/core';
import { lazyRouteComponent, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useApp, useMe } from '../../api/index.ts';
import { Waiting } from '../page/page.tsx';
import type { PageOfViews, SavedView } from './saved-view.ts';

const SaveView = lazyRouteComponent(() => import('./view-windows.tsx'), 'SaveView');
const EditViews = lazyRouteComponent(() => import('./view-windows.tsx'), 'EditViews');

export function ViewsMenu({ page }: { page: PageOfViews }) {
  const t = useTranslations('views');
  const { id: appId } = useApp();
  const me = useMe();
  const router = useRouter();
  const navigate = useNavigate();
  const query = useRouterState({ select: ({ location }) => location.searchStr.replace(/^\?/, '') });
  const [window, setWindow] = useState<'save' | 'edit' | null>(null);
  const { data } = api.useQuery('get', '/api/manage/apps/{appId}/views', { params: { path: { appId } } });
  const views = data?.views.filter((view) => view.page === page) ?? [];
  const close = () => setWindow(null);
  // The page reads the search by its own rules, and leaves out what it does not know.
  const open = (view: SavedView) =>
    void navigate({
      to: `/apps/$appId/${page}`,
      params: { appId },
      search: router.options.parseSearch!(`?${view.query}`),
    });
  const listed = (of: readonly SavedView[], name: string) =>
    of.length > 0 && (
      <>
        <Menu.Label>{name}</Menu.Label>
        {of.map((view) => (
          <Menu.Item key={view.id} onClick={() => open(view)} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{view.name}</bdi>
          </Menu.Item>
        ))}
      </>
    );
  return (
    <>
      <Menu width={280} position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} aria-hidden />}>
            {t('menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {views.length === 0 && <Menu.Label>{t('empty')}</Menu.Label>}
          {listed(
            views.filter(({ owner }) => owner !== null),
            t('own'),
          )}
          {listed(
            views.filter(({ owner }) => owner === null),
            t('team'),
          )}
          {me.kind !== 'visitor' && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setWindow('save')}>{t('save')}</Menu.Item>
              {views.length > 0 && <Menu.Item onClick={() => setWindow('edit')}>{t('manage')}</Menu.Item>}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={window !== null}
        onClose={close}
        size={window === 'edit' ? 'lg' : 'md'}
        title={t(window === 'edit' ? 'manageTitle' : 'saveTitle')}
      >
        <Suspense fallback={<Waiting rows={3} />}>
          {window === 'save' && <SaveView page={page} query={query} onClose={close} />}
          {window === 'edit' && <EditViews views={views} />}
        </Suspense>
      </Modal>
    </>
  );
}
