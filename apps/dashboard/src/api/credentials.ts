// The latest key and token that were made in this tab, for the examples of the API reference. Nothing else keeps them:
// they are gone when the tab is closed or loaded again.

export const credentials = { key: '', token: '' };

/** Keeps the key or token of a successful command, when it made one. */
export function keepCredential(answer: unknown): void {
  const { data } = (answer ?? {}) as { data?: { plaintext?: unknown } };
  if (typeof data?.plaintext !== 'string') return;
  if (data.plaintext.startsWith('ol_')) credentials.key = data.plaintext;
  if (data.plaintext.startsWith('lf_')) credentials.token = data.plaintext;
}
