import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { api, client } from './client.ts';
import { hasCode } from './failure.ts';

export const meQuery = () =>
  api.queryOptions('get', '/api/manage/me', {}, { staleTime: 60_000, refetchOnWindowFocus: 'always' });

/** The caller, on a page below `/_app`, which has asked for them. */
export const useMe = () => useSuspenseQuery(meQuery()).data;

/** Sends visitors of the demo to the sign-in. For pages that are about the person. */
export async function needPerson(queries: QueryClient, to: string): Promise<void> {
  const { kind } = await queries.ensureQueryData(meQuery());
  if (kind === 'visitor') throw redirect({ to: '/sign-in', search: { to } });
}

const tabs = new BroadcastChannel('landfall-session');

/** Follows a sign-out in another tab. Returns a function that ends it. */
export function followSignOut(queries: QueryClient): () => void {
  const follow = () => leave(queries);
  tabs.addEventListener('message', follow);
  return () => tabs.removeEventListener('message', follow);
}

export async function signOut(queries: QueryClient): Promise<void> {
  try {
    await client.DELETE('/api/manage/session');
  } catch (error) {
    if (!hasCode(error, 'NOT_SIGNED_IN')) throw error;
  }
  tabs.postMessage('ended');
  leave(queries);
}

/** Opens the web app anew, as the person who has just signed in. */
export function enter(queries: QueryClient, to = '/'): void {
  queries.clear();
  location.assign(to);
}

/** Called when an answer says that there is no session any more. */
export function ended(queries: QueryClient): void {
  // On the pages before sign-in nothing was lost.
  if (queries.getQueryData(meQuery().queryKey) === undefined) return;
  tabs.postMessage('ended');
  leave(queries);
}

/** Forgets everything, so that the next person sees nothing of it, and goes to the sign-in. */
function leave(queries: QueryClient): void {
  queries.clear();
  sessionStorage.clear();
  const to = location.pathname + location.search;
  location.assign(to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`);
}
