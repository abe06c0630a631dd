// The search of the header, and the keys that work on every page. Keys without a modifier do nothing while a person types.
import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { useTranslations } from 'use-intl';

// Both are loaded when they are asked for.
const SearchDialog = lazyRouteComponent(() => import('./search-dialog.tsx'), 'SearchDialog');
const ShortcutsHelp = lazyRouteComponent(() => import('./shortcuts-help.tsx'), 'ShortcutsHelp');

/** A stranger is led to the search of the documentation. */
export function HeaderSearch({ appId, isStranger }: { appId: string | undefined; isStranger: boolean }) {
  const t = useTranslations('search');
  const navigate = useNavigate();
  const [isHelped, help] = useDisclosure();
  const [isOpened, dialog] = useDisclosure();
  const before = useRef<Element | null>(null);
  function open(): void {
    if (isStranger) {
      void navigate({ to: '/docs/search' });
      return;
    }
    if (isOpened) return;
    before.current = document.activeElement;
    dialog.open();
  }
  function close(chose: boolean): void {
    dialog.close();
    // A page that was chosen takes the focus itself.
    if (!chose) (before.current as HTMLElement | null)?.focus();
  }
  useHotkeys([
    ['?', help.open],
    ['shift+?', help.open],
    ['c', () => void (appId !== undefined && navigate({ to: '/apps/$appId/links/new', params: { appId } }))],
    ['/', open],
  ]);
  useHotkeys([['mod+K', open]], []);
  const props = { onClick: open, 'aria-keyshortcuts': '/ Control+K Meta+K', 'aria-haspopup': 'dialog' } as const;
  return (
    <>
      <Button
        {...props}
        variant="default"
        visibleFrom="sm"
        flex="0 1 320px"
        justify="space-between"
        fw={400}
        c="dimmed"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={<Kbd aria-hidden>/</Kbd>}
      >
        {t('label')}
      </Button>
      <ActionIcon {...props} variant="subtle" color="gray" size="lg" hiddenFrom="sm" aria-label={t('label')}>
        <Search size={20} aria-hidden />
      </ActionIcon>
      <Suspense>
        {isOpened && <SearchDialog appId={appId} onClose={close} />}
        {isHelped && <ShortcutsHelp onClose={help.close} />}
      </Suspense>
    </>
  );
}
