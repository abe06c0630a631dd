// React Native on a phone for tests: its globals, `Linking`, `Platform` and the modules of others speak for the system of
// a story. Node's own timers stay as they are.
import type { CoreOptions, Landfall, System } from '@landfall/client';
import type { Stage } from '../../client/src/vectors.testing.ts';
import type { Native, Options } from './configure.ts';
import { VERSION } from './configure.ts';

/** Stories that tell what React Native does not tell, or not what it always tells. */
export const OTHERS = ['diagnose', 'diagnose-nothing-set-up', 'little-is-known', 'forget', 'from-a-backup'];

/** @param make makes the client, with `Linking` and `Platform` of the story */
export function stageOf(make: (native: Native, options: Options) => Landfall): Stage {
  return {
    client: `react-native/${VERSION}`,
    make: (options, system, device) => {
      useGlobalsOf(system);
      return make(nativeOf(system, device), {
        ...modulesOf(options, system, device),
        storage: system.storage as never,
      });
    },
  };
}

function useGlobalsOf(system: System): void {
  Date.now = () => system.now();
  Object.assign(globalThis, {
    fetch: system.fetch,
    setTimeout: (done: () => void, ms: number) => system.timer(ms, done),
    clearTimeout: (end: (() => void) | undefined) => end?.(),
  });
}

const nativeOf = (system: System, { platform, osVersion }: Readonly<Record<string, unknown>>): Native => ({
  Linking: {
    getInitialURL: async () => (await system.initialLink?.()) ?? null,
    addEventListener: (_type, listener) => {
      system.links?.((url) => listener({ url }));
      return { remove: () => {} };
    },
  },
  Platform: { OS: platform as string, Version: osVersion },
});

/** Half of them are of react-native-device-info. */
function modulesOf(
  { clipboard, ...options }: CoreOptions,
  { facts }: System,
  device: Readonly<Record<string, unknown>>,
): Omit<Options, 'storage'> {
  const deviceInfo = {
    getVersion: () => device.appVersion ?? 'unknown',
    getBundleId: () => device.appId ?? 'unknown',
    getModel: () => device.model,
    getDeviceId: () => device.model,
    getSystemVersion: () => device.osVersion,
    // React Native makes other random ids than the stories.
    getUniqueId: async () => device.id ?? '11111111-1111-4111-8111-111111111111',
    getFirstInstallTime: async () => (await facts.installedAt?.()) ?? -1,
  };
  const installReferrer = {
    getInstallReferrerInfo: async (done: (info: object | null, error: unknown) => void) =>
      done({ installReferrer: await facts.installReferrer?.() }, null),
  };
  return {
    ...options,
    deviceInfo: deviceInfo as never,
    localization: { getLocales: () => [{ languageTag: device.language as string }] },
    installReferrer: installReferrer as never,
    ...(clipboard && {
      clipboard: { getString: facts.clipboard as () => Promise<string>, hasString: async () => true },
    }),
  };
}
