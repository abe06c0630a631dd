// Makes a command for a shell, for things that have no page yet.

/** @param body values without an apostrophe */
export function curlPost(url: string, body: Record<string, string>): string {
  return [
    `curl -X POST ${url} -H 'x-landfall: 1' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
