// Takes out of findings whatever must not be read over a shoulder, whoever put it in: an error of a library may carry it.
import type { Finding } from './finding.ts';

/** Everywhere, in facts as well. Secrets shorter than 4 characters would take half of the text with them. */
export function scrubbed(findings: readonly Finding[], secrets: readonly string[]): Finding[] {
  const hidden = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string')
      return hidden.reduce((text, secret) => text.replaceAll(secret, '***'), value).replace(CREDENTIALS, '$1***@');
    if (Array.isArray(value)) return value.map(clean);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clean(one)]));
  };
  return findings.map((finding) => clean(finding) as Finding);
}

/** Of a URL. */
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;

/** A server's URL without credentials and parameters. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'a URL that cannot be read';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The passwords in URLs, and in what a percent sign hides. */
export const passwordsOf = (urls: readonly (string | undefined)[]): string[] =>
  urls.flatMap((url) => {
    if (url === undefined || !URL.canParse(url)) return [];
    const { password } = new URL(url);
    return password === '' ? [] : [password, decoded(password)];
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
