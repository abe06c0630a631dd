// The app that the person saw last, in this browser. Pages that belong to no app keep its menu.
const KEY = 'landfall-app';

/** Undefined also where the browser keeps nothing. */
export function lastApp(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepLastApp(appId: string): void {
  try {
    localStorage.setItem(KEY, appId);
  } catch {
    // Without it, the menu is that of the newest app.
  }
}
