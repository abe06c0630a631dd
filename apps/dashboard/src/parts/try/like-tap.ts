// The device of the page Try that is most like the one of a tap, so that a tap leads to what it would get now.

interface Tapped {
  platform: string | null;
  browser: string | null;
  inAppBrowser: string | null;
}

const USUAL: ReadonlyMap<string | null, string> = new Map([
  ['ios', 'iphone-safari'],
  ['android', 'android-chrome'],
  ['desktop', 'windows-chrome'],
]);

/**
 * Returns the id of a device. A browser inside an app gets another answer than others, so it counts first. Undefined: no
 * device is like it, or the tap does not say its own.
 * @param devices those of the API, whose ids are a system and a browser, such as `ios-instagram`
 */
export function likeTap(tap: Tapped, devices: readonly { id: string }[]): string | undefined {
  const { platform, browser, inAppBrowser } = tap;
  const usual = USUAL.get(platform);
  if (usual === undefined) return undefined;
  const [hardware] = usual.split('-');
  const [first = ''] = (browser ?? '').toLowerCase().split(' ');
  const wanted = inAppBrowser ? [`${platform}-${inAppBrowser.toLowerCase()}`, `${platform}-web-view`] : [];
  return [...wanted, `${hardware}-${first}`, usual].find((id) => devices.some((one) => one.id === id));
}
