import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { routeTree } from '../generated/route-tree.gen.ts';
import { ApiFailure, appQuery, createQueries, meQuery } from './api/index.ts';
import { FailedPage } from './parts/page/failed-page.tsx';
import { Busy } from './parts/shell/busy.ts';
import { cssVariables, theme } from './theme.ts';
import { words } from './words/words.ts';

// The policy of the page allows only styles with this nonce. Mantine and the library that locks scrolling read it in
// different ways.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

// The first page needs none. What is shown before they are loaded waits for them.
const Notifications = lazy(async () => {
  await idle();
  const { Notifications } = await import('@mantine/notifications');
  return { default: Notifications };
});

/** Resolves when the first page is shown. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no such function.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve, 200);
  });

const queries = createQueries();
const router = createRouter({
  routeTree,
  context: { queries },
  // A page that fails leaves the menu where it is.
  defaultErrorComponent: FailedPage,
  defaultPreload: 'intent',
  // TanStack Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

// The router loads the code of a page when it knows who asks for it. The code depends on nobody, so it comes at once.
const matches = router.matchRoutes(router.latestLocation);
for (const { routeId } of matches) {
  void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById]);
}

// The person and the app are asked for beside the code. The server gives this frame to whoever has a cookie.
if (document.querySelector('#frame.app')) {
  void queries.prefetchQuery(meQuery());
  const { appId } = matches.at(-1)!.params as { appId?: string };
  if (appId !== undefined) void queries.prefetchQuery(appQuery(appId));
}

// The frame of index.html stays until the first page is there, or what is said instead of it.
for (const shown of ['onRendered', 'onResolved'] as const)
  router.subscribe(shown, () => document.querySelector('#frame')?.remove());

/** A failed answer has a page of its own. Any other error is a bug. */
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof ApiFailure)) console.error(error);
};

const root = document.querySelector('#root')!;
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <IntlProvider locale="en" messages={words} timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Busy router={router} of={root} />
        </QueryClientProvider>
        <Suspense>
          <Notifications position="bottom-right" />
        </Suspense>
      </MantineProvider>
    </IntlProvider>
  </StrictMode>,
);
