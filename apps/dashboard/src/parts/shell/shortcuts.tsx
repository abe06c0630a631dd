import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';

const Palette = lazyRouteComponent(() => import('./palette.tsx'), 'Palette');
const KeysHelp = lazyRouteComponent(() => import('./palette.tsx'), 'KeysHelp');

/** The keys of the app. Those without a modifier do nothing while a person types. */
export function Shortcuts({ appId }: { appId: string | undefined }) {
  const navigate = useNavigate();
  const [helped, help] = useDisclosure();
  const [asked, setAsked] = useState(0);
  const goTo = (to: '/apps/$appId/links' | '/apps/$appId/links/new') => {
    if (appId !== undefined) void navigate({ to, params: { appId } });
  };
  useHotkeys([
    ['?', help.open],
    ['shift+?', help.open],
    ['c', () => goTo('/apps/$appId/links/new')],
    ['/', () => (focusSearch() ? undefined : goTo('/apps/$appId/links'))],
  ]);
  useHotkeys([['mod+K', () => setAsked((before) => before + 1)]], []);
  // Both are loaded when they are asked for.
  return (
    <Suspense>
      {asked > 0 && <Palette appId={appId} asked={asked} />}
      {helped && <KeysHelp onClose={help.close} />}
    </Suspense>
  );
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#search');
  field?.focus();
  return field !== null;
}
