// The part of a tapped query that public events show. The rest may say who somebody is (`?email=…`).

/** Parameters by which ad networks know a click again, in lower case. They name a click to the network, and nobody to others. */
const CLICK_IDS: ReadonlySet<string> = new Set([
  // Google Ads: a click, its forms for iOS, and Campaign Manager.
  ...['gclid', 'gbraid', 'wbraid', 'dclid'],
  // Meta: Facebook, Instagram.
  ...['fbclid', 'igshid'],
  // TikTok, X, Microsoft Advertising, LinkedIn, Snapchat, Reddit, Pinterest, Yandex, Quora, Taboola, Outbrain.
  ...['ttclid', 'twclid', 'msclkid', 'li_fat_id', 'sccid', 'rdt_cid', 'epik', 'yclid', 'qclid', 'tblci', 'dicbo'],
]);

/**
 * The parts of a query that are published, as they were written and in their order.
 * @param query without its question mark
 * @param allowed further names, by the app's choice
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

function nameOf(part: string): string {
  const end = part.indexOf('=');
  const name = end < 0 ? part : part.slice(0, end);
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // Nobody's name.
    return '';
  }
}
