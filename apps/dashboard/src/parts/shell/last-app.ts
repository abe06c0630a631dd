// The app that the person saw last, in this browser. Pages that belong to no app keep its menu.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { appsQuery, type Me } from '../../api/index.ts';

const KEY = 'landfall-app';

/** Undefined also where the browser keeps nothing. */
export function lastApp(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepLastApp(appId: string): void {
  try {
    localStorage.setItem(KEY, appId);
  } catch {
    // Without it, the menu is that of the newest app.
  }
}

/** Returns the app of the page. On a page that belongs to none, it is the one that the person came from, or the newest. */
export function useShownApp(me: Me | undefined): string | undefined {
  const { appId } = useParams({ strict: false });
  const { data: apps } = useQuery({ ...appsQuery(), enabled: me !== undefined });
  useEffect(() => {
    if (appId !== undefined) keepLastApp(appId);
  }, [appId]);
  if (appId !== undefined || me === undefined) return appId;
  const last = lastApp();
  if (apps === undefined) return last;
  return (apps.find(({ id }) => id === last) ?? apps[0])?.id;
}
