// The events of an app while they happen, over server-sent events.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AGAIN_MS, appQuery } from '../../api/index.ts';

/** An event of the app, or the decision of a restore. Other fields depend on the kind. */
export interface LiveItem {
  id: string;
  at: string;
  kind: keyof typeof KINDS;
  [field: string]: unknown;
}

/** The kinds of events, each with the colour of its dot. */
export const KINDS = {
  click: 'indigo-6',
  open: 'teal-6',
  install: 'grape-6',
  restore: 'teal-6',
  active: 'gray-6',
  linkCreated: 'gray-6',
  registration: 'gray-6',
  pushSent: 'gray-6',
  pushOpened: 'grape-6',
  decision: 'orange-6',
} as const;

/** Events of one moment arrive in any order. */
export const newestFirst = (one: { at: string }, other: { at: string }): number =>
  one.at < other.at ? 1 : one.at > other.at ? -1 : 0;

/** The most events of a kind that are kept. A kind that is common must not push out one that is rare. */
const MOST = 200;

/** Returns the last events of each kind since the page opened, newest first, and whether the stream is connected. */
export function useLiveEvents(appId: string, paused = false): { items: readonly LiveItem[]; connected: boolean } {
  const [items, setItems] = useState<readonly LiveItem[]>([]);
  const [connected, setConnected] = useState(false);
  const queries = useQueryClient();
  useEffect(() => {
    if (paused) return;
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    let last = '';
    const take = (event: Event) => {
      // The browser has an event of its own with the name `open`.
      if (!(event instanceof MessageEvent)) return;
      last = event.lastEventId;
      const item = JSON.parse(event.data) as LiveItem;
      setItems((before) =>
        before.some(({ id, kind }) => id === item.id && kind === item.kind)
          ? before
          : keptOf([item, ...before].sort(newestFirst), item.kind),
      );
    };
    const open = () => {
      source = new EventSource(`/api/manage/apps/${appId}/live${last && `?lastEventId=${last}`}`);
      source.onopen = () => setConnected(true);
      source.onerror = () => {
        setConnected(false);
        // After a lost connection the browser connects again by itself. After an answer that is no stream it does not.
        if (source.readyState !== EventSource.CLOSED) return;
        again = setTimeout(open, AGAIN_MS);
        // The session may have ended.
        void queries.invalidateQueries({ queryKey: appQuery(appId).queryKey });
      };
      for (const kind of Object.keys(KINDS)) source.addEventListener(kind, take);
    };
    open();
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [appId, paused, queries]);
  return { items, connected };
}

/** Leaves out the oldest event of a kind, if there are more than are kept. */
function keptOf(items: readonly LiveItem[], kind: LiveItem['kind']): readonly LiveItem[] {
  const own = items.filter((item) => item.kind === kind);
  return own.length > MOST ? items.filter((item) => item !== own.at(-1)) : items;
}
