// Landfall for Capacitor: the core, with the plugins that the app passes in.
import { type Options as CommonOptions, createClient, type Fetch, type Landfall, type Told } from '@landfall/client';
import type { AppPlugin, ClipboardPlugin, DevicePlugin, HttpPlugin, PreferencesPlugin } from './plugins.ts';

export interface Options extends CommonOptions {
  readonly app: AppPlugin;
  readonly device: DevicePlugin;
  readonly preferences: PreferencesPlugin;
  /** The page of the app is on a host of its own, and a browser would not let it ask the server. */
  readonly http: HttpPlugin;
  /** With it the clipboard is read at the first start, and iOS asks the person. Only a link of `hosts` is sent. */
  readonly clipboard?: ClipboardPlugin;
  /** The install referrer of Google Play. Capacitor has no plugin of its own for it. */
  readonly installReferrer?: () => Told<string>;
  /** When the app was installed, in milliseconds. Capacitor has no plugin of its own for it. */
  readonly installedAt?: () => Told<number>;
}

/**
 * Makes the client. Sends nothing.
 * @throws {TypeError} if an option is missing or wrong
 */
export function configure(options: Options): Landfall {
  for (const name of ['app', 'device', 'preferences', 'http'] as const)
    if (!options[name]) throw new TypeError(`configure() needs \`${name}\`.`);
  const { app, device, preferences, http, clipboard, installReferrer, installedAt, ...common } = options;
  const info = async () => device.getInfo();
  return createClient(
    { ...common, clipboard: clipboard !== undefined },
    {
      client: 'capacitor/0.1.0',
      storage: {
        getItem: async (key) => (await preferences.get({ key })).value,
        setItem: (key, value) => preferences.set({ key, value }),
        removeItem: (key) => preferences.remove({ key }),
      },
      fetch: fetchOf(http),
      facts: {
        id: async () => (await device.getId()).identifier,
        platform: async () => (await info()).platform,
        osVersion: async () => (await info()).osVersion,
        model: async () => (await info()).model,
        language: async () => (await device.getLanguageTag()).value,
        appId: async () => (await app.getInfo()).id,
        appVersion: async () => (await app.getInfo()).version,
        ...(installedAt && { installedAt }),
        ...(installReferrer && { installReferrer }),
        ...(clipboard && { clipboard: async () => (await clipboard.read()).value }),
      },
      now: () => Date.now(),
      timer(ms, done) {
        const timer = setTimeout(done, ms);
        return () => clearTimeout(timer);
      },
      uuid: () => crypto.randomUUID(),
      initialLink: async () => (await app.getLaunchUrl())?.url,
      links: (listener) => app.addListener('appUrlOpen', ({ url }) => listener(url)),
      log: (sentence) => console.warn(`Landfall: ${sentence}`),
    },
  );
}

const fetchOf =
  (http: HttpPlugin): Fetch =>
  async (url, { method, headers, body }) => {
    // The plugin wants an object for JSON, and gives one.
    const answer = await http.request({ url, method, headers, ...(body !== undefined && { data: JSON.parse(body) }) });
    const names = Object.keys(answer.headers);
    const get = (name: string) =>
      answer.headers[names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? ''] ?? null;
    const text = typeof answer.data === 'string' ? answer.data : JSON.stringify(answer.data);
    return { status: answer.status, headers: { get }, text: async () => text };
  };

export type { CreatedLink, Finding, Landfall, Link, NewLink, Push, PushOptions, User } from '@landfall/client';
export { LandfallError } from '@landfall/client';
export type * from './plugins.ts';
