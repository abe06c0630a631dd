// The block that a start ends with: what a newcomer copies from.
import type { Demo } from './demo.ts';

export interface Facts {
  publicUrl: string;
  linkDomain: string;
  folder: string;
  demo: Demo;
  /** The lines with which an instance without an owner gets one. */
  setUp?: string | undefined;
  /** Further lines about what runs where: a name and what is to be known of it. */
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
    ...(facts.setUp === undefined ? [] : ['', facts.setUp.trimEnd()]),
    '',
    'Stop with Ctrl-C. Everything is kept for the next start.',
    '',
  ].join('\n');
}
