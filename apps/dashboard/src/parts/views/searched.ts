// Keeps the text that a person typed to find somebody. An email has no place in an address: it would stand in the history of a browser.
import { useLocation, useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Names the text in the storage of the tab, which a sign-out empties. */
    searched?: string;
  }
}

/** Keeps a text, and returns the state of a page that is to show what it finds. */
export function searchedFor(text: string): { searched?: string } {
  if (text === '') return {};
  const searched = `landfall-searched-${Math.random().toString(36).slice(2)}`;
  sessionStorage.setItem(searched, text);
  return { searched };
}

/**
 * Returns the text for which this page was opened, and a function that sets it. A reload and the way back keep it. Any
 * other way to the page shows everything.
 */
export function useSearched(): [string, (text: string) => void] {
  const router = useRouter();
  const id = useLocation({ select: ({ state }) => state.searched });
  const search = (text: string) =>
    void router.navigate({ to: '.', search: true, replace: true, resetScroll: false, state: searchedFor(text) });
  return [id === undefined ? '' : (sessionStorage.getItem(id) ?? ''), search];
}
