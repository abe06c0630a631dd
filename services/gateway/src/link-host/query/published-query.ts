// Filters a tapped query to the parts that all readers of events may see. The rest may identify a person (`?email=…`).

/** Click ids of ad networks, in lower case. They identify a click to the network and nobody to others. */
const CLICK_IDS: ReadonlySet<string> = new Set([
  // Google Ads: a click, its forms for iOS, and Campaign Manager.
  ...['gclid', 'gbraid', 'wbraid', 'dclid'],
  // Meta: Facebook, Instagram.
  ...['fbclid', 'igshid'],
  // TikTok, X, Microsoft Advertising, LinkedIn, Snapchat, Reddit, Pinterest, Yandex, Quora, Taboola, Outbrain.
  ...['ttclid', 'twclid', 'msclkid', 'li_fat_id', 'sccid', 'rdt_cid', 'epik', 'yclid', 'qclid', 'tblci', 'dicbo'],
]);

/**
 * Returns the published parts of a query, unchanged and in their order.
 * @param query without its question mark
 * @param allowed more names, chosen by the app
 */
export function publishedQuery(query: string, allowed: readonly string[]): string {
  if (query === '') return '';
  const kept = query.split('&').filter((part) => {
    const name = nameOf(part);
    const lower = name.toLowerCase();
    return lower.startsWith('utm_') || CLICK_IDS.has(lower) || allowed.includes(name);
  });
  return kept.join('&');
}

/** Returns the decoded name of a part. Empty when it is not valid. */
export function nameOf(part: string): string {
  const end = part.indexOf('=');
  const name = end < 0 ? part : part.slice(0, end);
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // The name is not valid, so it matches nothing.
    return '';
  }
}
