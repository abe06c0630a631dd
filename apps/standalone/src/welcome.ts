// The text at the end of a start. A new user copies commands from it.
import { renderUnicodeCompact } from 'uqr';
import type { Demo } from './demo.ts';

export interface Facts {
  publicUrl: string;
  linkDomain: string;
  folder: string;
  demo: Demo;
  /** The lines that explain how to create the first owner. Left out when the instance has an owner. */
  setUp?: string | undefined;
  /** The demo link on a phone. Left out where a start has no such arguments. */
  phone?: { host: string | undefined; colours: boolean };
  /** Further lines: a name and its description. */
  more?: readonly (readonly [string, string])[];
}

export function welcome(facts: Facts): string {
  const { publicUrl, folder, demo } = facts;
  const { protocol } = new URL(publicUrl);
  const link = `${protocol}//${demo.app.subdomain}.${facts.linkDomain}/${demo.slug}`;
  const curl = [
    `curl -X POST ${publicUrl}/api/links/create-sdk \\`,
    `    -H 'x-service-sdk-key: ${demo.key}' -H 'content-type: application/json' \\`,
    `    -d '{"destination": "/invite?code=42"}'`,
  ];
  return [
    '',
    `Landfall is running at ${publicUrl}`,
    '',
    `  Try the API    ${publicUrl}/docs`,
    ...(facts.more ?? []).map(([name, what]) => `  ${name.padEnd(14)} ${what}`),
    `  Demo app       ${demo.app.id}`,
    `  Its link       ${link}`,
    `  Its key        ${demo.key ?? 'revoked; make another one with POST /api/manage/apps/{appId}/keys'}`,
    `  Owner token    in ${folder}/owner-token, for ${publicUrl}/api/manage`,
    ...(demo.key ? ['', 'Make a link:', '', ...curl.map((line) => `  ${line}`)] : []),
    ...(facts.phone === undefined ? [] : onPhone(facts.phone, protocol, demo.slug)),
    ...(facts.setUp === undefined ? [] : ['', facts.setUp.trimEnd()]),
    '',
    'Stop with Ctrl-C. Everything is kept for the next start.',
    '',
  ].join('\n');
}

function onPhone({ host, colours }: NonNullable<Facts['phone']>, protocol: string, slug: string): string[] {
  if (host === undefined)
    return ['', 'On a real phone: npm start -- --lan (the same network) or npm start -- --tunnel (any network).'];
  const link = `${protocol}//${host}/${slug}`;
  return ['', `On a real phone: scan this code, or open ${link}`, '', ...terminalCode(link, colours)];
}

const WHITE_ON_BLACK = '\u001b[97;40m';
const RESET = '\u001b[0m';

/** A QR code, whose characters draw the light parts. Without colours it is readable on a dark ground only. */
export function terminalCode(text: string, colours: boolean): string[] {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n');
  return colours ? lines.map((line) => WHITE_ON_BLACK + line + RESET) : lines;
}
