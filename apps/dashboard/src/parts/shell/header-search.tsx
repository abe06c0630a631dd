// The search of the header, and the keys that work on every page. Keys without a modifier do nothing while a person types.
import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

// Both are loaded when they are asked for.
const SearchDialog = lazyRouteComponent(() => import('../search/search-dialog.tsx'), 'SearchDialog');
const ShortcutsHelp = lazyRouteComponent(() => import('./shortcuts-help.tsx'), 'ShortcutsHelp');

/** A stranger is led to the search of the documentation. */
export function HeaderSearch({ appId, isStranger }: { appId: string | undefined; isStranger: boolean }) {
  const t = useTranslations('search');
  const navigate = useNavigate();
  const [isHelped, help] = useDisclosure();
  const [isOpened, dialog] = useDisclosure();
  const [text, setText] = useState('');
  const before = useRef<Element | null>(null);
  function open(): void {
    if (isStranger) {
      void navigate({ to: '/docs/search' });
      return;
    }
    if (isOpened) return;
    before.current = document.activeElement;
    setText('');
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
  useEffect(() => {
    if (!isOpened) return;
    // The window is loaded, and takes the focus a moment later. Its field also gets the keys until then.
    const early = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement?.closest('[role=dialog]')) return;
      if (event.key === 'Backspace') setText((typed) => typed.slice(0, -1));
      else if (event.key.length === 1) setText((typed) => typed + event.key);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', early, true);
    return () => window.removeEventListener('keydown', early, true);
  }, [isOpened]);
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
        {isOpened && <SearchDialog appId={appId} text={text} onText={setText} onClose={close} />}
        {isHelped && <ShortcutsHelp onClose={help.close} />}
      </Suspense>
    </>
  );
}
