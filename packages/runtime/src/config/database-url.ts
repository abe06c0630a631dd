// The address of a PostgreSQL, as an operator may write it.
import { z } from 'zod';

/**
 * Returns the URL with a host. `postgresql://user@/name?host=/run/postgresql` names a socket and has none, which is no URL
 * to the standard.
 */
export const withHost = (url: string): string => url.replace(/^([^:]+:\/\/[^/?#]*@)\//, '$1socket/');

const parsed = (url: string): URL => new URL(withHost(url));

/** The schema of DATABASE_URL. */
export const databaseUrl = () =>
  z.string().refine(
    (text) => {
      try {
        return /^postgres(ql)?:$/.test(parsed(text).protocol);
      } catch {
        return false;
      }
    },
    { error: 'must be a postgresql:// URL' },
  );

/** Returns the host and port of a database, or its socket, without the user and the password. */
export function databaseHost(url: string): string {
  const { host, hostname, searchParams } = parsed(url);
  return searchParams.get('host') ?? (hostname.startsWith('%2') ? decodeURIComponent(hostname) : host || 'localhost');
}
