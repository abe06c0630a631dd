import { type AnyRouter, useRouterState } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';

/**
 * Marks an element as busy until the page of the address is drawn in it. The code and the data of a page may be there for
 * a while before that, and until then no part of the page says that it comes.
 */
export function Busy({ router, of }: { router: AnyRouter; of: Element }) {
  const busy = useRouterState({
    router,
    select: ({ status, resolvedLocation }) => status === 'pending' || resolvedLocation === undefined,
  });
  useLayoutEffect(() => of.setAttribute('aria-busy', `${busy}`), [of, busy]);
  return null;
}
