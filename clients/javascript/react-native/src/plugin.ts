// The config plugin for Expo: it enters the hosts of the links into the app's configuration. `expo prebuild` makes the
// entitlements and the manifest of it.

/** The part of an Expo configuration that is changed. */
export interface ExpoConfigShape {
  ios?: { associatedDomains?: string[] };
  android?: { intentFilters?: unknown[] };
}

/** Options of the plugin. */
export interface PluginOptions {
  /** The hosts of the app's links, as in `configure`. */
  readonly hosts: readonly string[];
}

/**
 * Adds the associated domains of iOS and the verified intent filter of Android.
 * @throws {Error} without `hosts`
 */
export default function withLandfall<Config extends ExpoConfigShape>(config: Config, options?: PluginOptions): Config {
  const hosts = options?.hosts;
  if (!Array.isArray(hosts) || hosts.length === 0 || !hosts.every(isHost)) {
    throw new Error(
      'The plugin @landfall/react-native needs hosts, without https://: ["@landfall/react-native", { "hosts": ["shop.links.example", "open-shop.links.example"] }]',
    );
  }
  const domains = config.ios?.associatedDomains ?? [];
  const filters = config.android?.intentFilters ?? [];
  const filter = {
    action: 'VIEW',
    autoVerify: true,
    data: hosts.map((host) => ({ scheme: 'https', host })),
    category: ['BROWSABLE', 'DEFAULT'],
  };
  const isThere = filters.some((other) => JSON.stringify(other) === JSON.stringify(filter));
  return {
    ...config,
    ios: {
      ...config.ios,
      associatedDomains: [...new Set([...domains, ...hosts.map((host) => `applinks:${host}`)])],
    },
    android: { ...config.android, intentFilters: isThere ? filters : [...filters, filter] },
  };
}

const isHost = (host: unknown): boolean => typeof host === 'string' && /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(host);
