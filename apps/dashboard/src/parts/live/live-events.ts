// The events of an app while they happen, over server-sent events.
import { useEffect, useState } from 'react';

/** An event of the app, or the decision of a restore. Other fields depend on the kind. */
export interface LiveItem {
  id: string;
  at: string;
  kind: LiveKind;
  [field: string]: unknown;
}

/** The most events that are kept. */
const MOST = 200;
const KINDS = [
  'click',
  'open',
  'install',
  'restore',
  'active',
  'linkCreated',
  'registration',
  'pushSent',
  'pushOpened',
  'decision',
] as const;
export type LiveKind = (typeof KINDS)[number];

/** Returns the events since the page opened, newest first, and whether the stream is connected. */
export function useLiveEvents(appId: string, paused = false): { items: readonly LiveItem[]; connected: boolean } {
  const [items, setItems] = useState<readonly LiveItem[]>([]);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    if (paused) return;
    const source = new EventSource(`/api/manage/apps/${appId}/live`);
    // The browser connects again by itself, and names the last event that it got.
    source.onopen = () => setConnected(true);
    source.onerror = () => setConnected(false);
    const take = (event: Event) => {
      // The browser has an event of its own with the name `open`.
      if (!(event instanceof MessageEvent)) return;
      const item = JSON.parse(event.data) as LiveItem;
      setItems((before) =>
        before.some(({ id, kind }) => id === item.id && kind === item.kind) ? before : [item, ...before].slice(0, MOST),
      );
    };
    for (const kind of KINDS) source.addEventListener(kind, take);
    return () => source.close();
  }, [appId, paused]);
  return { items, connected };
}
