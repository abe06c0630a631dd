// Removes secrets from findings, because others may see the screen, and even an error of a library may contain one.
import { withHost } from '@landfall/runtime';
import type { Finding } from './finding.ts';

/** Also in facts. Keeps secrets shorter than 4 characters: half of the text would go with them. */
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

const CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;

/** Without credentials and parameters. */
export function shownUrl(url: string): string {
  const readable = withHost(url);
  if (!URL.canParse(readable)) return 'a URL that cannot be read';
  const { protocol, host, pathname } = new URL(readable);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Both as written and with percent-encoding decoded. */
export const passwordsOf = (urls: readonly (string | undefined)[]): string[] =>
  urls.flatMap((url) => {
    if (url === undefined || !URL.canParse(withHost(url))) return [];
    const { password } = new URL(withHost(url));
    return password === '' ? [] : [password, decoded(password)];
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
