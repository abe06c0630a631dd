// Makes commands to paste into a shell, for actions without a page.

/** @param body values without an apostrophe */
export function curlPost(url: string, body: Record<string, string>): string {
  return [
    `curl -X POST ${url} -H 'x-landfall: 1' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
