// Where a browser goes after a sign-in. The web app and the gateway decide it by the same function.

/** It stands for the origin that the browser is at. The result has no origin, so any one does. */
const HERE = 'http://here.invalid';

/**
 * Resolves a path as a browser does. Returns it with its query and fragment, or null when it leads to another host.
 * Never judge the characters instead: browsers drop tabs and line breaks, and read `\` as `/`.
 */
export function ownPath(to: string): string | null {
  if (!to.startsWith('/') || !URL.canParse(to, HERE)) return null;
  const url = new URL(to, HERE);
  const path = url.pathname + url.search + url.hash;
  // `/..//host` begins with two slashes once it is resolved. Alone, that is another host.
  return url.origin === HERE && !path.startsWith('//') ? path : null;
}
