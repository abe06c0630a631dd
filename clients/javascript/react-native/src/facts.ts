// What the system tells, by the modules that the app has: those of Expo, react-native-device-info, or React Native alone.
import type { System, Told } from '@landfall/client';
import type {
  CommunityClipboardShape,
  DeviceInfoShape,
  ExpoApplicationShape,
  ExpoClipboardShape,
  ExpoDeviceShape,
  LocalizationShape,
  PlatformShape,
  PlayInstallReferrerShape,
} from './shapes.ts';

/** Modules that tell something. All are optional. */
export interface Modules {
  /** `import * as Application from 'expo-application'`. */
  readonly application?: ExpoApplicationShape;
  /** `import * as Device from 'expo-device'`. */
  readonly device?: ExpoDeviceShape;
  /** `import * as Localization from 'expo-localization'`, or `react-native-localize`. */
  readonly localization?: LocalizationShape;
  /** `import DeviceInfo from 'react-native-device-info'`, in the place of the modules of Expo. */
  readonly deviceInfo?: DeviceInfoShape;
  /** `import { PlayInstallReferrer } from 'react-native-play-install-referrer'`. Expo does not need it. */
  readonly installReferrer?: PlayInstallReferrerShape;
  /**
   * `import * as Clipboard from 'expo-clipboard'`, or `@react-native-clipboard/clipboard`. With it the clipboard is read
   * at the first start, and iOS asks the person. Only a text that is a link of `hosts` is sent.
   */
  readonly clipboard?: ExpoClipboardShape | CommunityClipboardShape;
}

type Facts = System['facts'];
type Source = { readonly [Name in keyof Facts]?: (() => Told<unknown>) | undefined };

/** Returns the facts of the first source that tells them. */
export function factsOf(platform: PlatformShape, modules: Modules): Facts {
  const sources: readonly Source[] = [
    ofExpo(platform, modules),
    ofDeviceInfo(platform, modules.deviceInfo),
    ofReactNative(platform),
  ];
  const first =
    (name: keyof Facts, more: readonly Source[] = []) =>
    async () => {
      for (const source of [...more, ...sources]) {
        // A module may lack a function, or reject on this platform. The next one may know it.
        const value = await attempt(source[name]);
        if (isKnown(value)) return value as never;
      }
      return undefined;
    };
  return {
    platform: first('platform'),
    osVersion: first('osVersion'),
    model: first('model'),
    language: first('language'),
    id: first('id'),
    appId: first('appId'),
    appVersion: first('appVersion'),
    installedAt: first('installedAt'),
    ...(platform.OS === 'android' && {
      installReferrer: first('installReferrer', [{ installReferrer: referrerOf(modules.installReferrer) }]),
    }),
    ...(modules.clipboard && { clipboard: textOn(modules.clipboard) }),
  };
}

function ofExpo({ OS }: PlatformShape, { application, device, localization }: Modules): Source {
  const isIos = OS === 'ios';
  return {
    osVersion: () => device?.osVersion,
    model: () => (isIos ? device?.modelId : device?.modelName),
    language: () => localization?.getLocales()[0]?.languageTag,
    id: () => (isIos ? application?.getIosIdForVendorAsync?.() : application?.getAndroidId?.()),
    appId: () => application?.applicationId,
    appVersion: () => application?.nativeApplicationVersion,
    installedAt: async () => (await application?.getInstallationTimeAsync())?.getTime(),
    installReferrer: () => application?.getInstallReferrerAsync?.(),
  };
}

function ofDeviceInfo({ OS }: PlatformShape, info: DeviceInfoShape | undefined): Source {
  if (!info) return {};
  return {
    osVersion: () => info.getSystemVersion(),
    // Its `getDeviceId` is the model of an iPhone, and the board of an Android phone. It is not the id of one device.
    model: () => (OS === 'ios' ? info.getDeviceId() : info.getModel()),
    id: () => info.getUniqueId(),
    appId: () => info.getBundleId(),
    appVersion: () => info.getVersion(),
    installedAt: () => info.getFirstInstallTime(),
    installReferrer: () => info.getInstallReferrer?.(),
  };
}

function ofReactNative({ OS, Version, constants }: PlatformShape): Source {
  const { Release, Model } = (constants ?? {}) as { Release?: unknown; Model?: unknown };
  return {
    platform: () => (OS === 'ios' || OS === 'android' ? OS : undefined),
    // On Android `Version` is the level of the API.
    osVersion: () => (OS === 'ios' ? (Version as string) : Release),
    model: () => Model,
    language: () => new Intl.DateTimeFormat().resolvedOptions().locale,
  };
}

const referrerOf = (module: PlayInstallReferrerShape | undefined) => () =>
  module?.getInstallReferrerInfo &&
  new Promise((resolve) => {
    module.getInstallReferrerInfo?.((info) => resolve(info?.installReferrer));
  });

/** First asks whether there is a text at all: that does not ask the person. */
const textOn = (clipboard: ExpoClipboardShape | CommunityClipboardShape) => async () => {
  if ('getStringAsync' in clipboard) {
    return (await clipboard.hasStringAsync?.()) === false ? undefined : clipboard.getStringAsync();
  }
  return (await clipboard.hasString?.()) === false ? undefined : clipboard.getString();
};

async function attempt(ask: (() => Told<unknown>) | undefined): Promise<unknown> {
  try {
    return await ask?.();
  } catch {
    return undefined;
  }
}

/** `unknown` and -1 are what react-native-device-info says. The long id is one that many old phones share. */
const isKnown = (value: unknown): boolean =>
  value !== undefined && value !== null && !['', 'unknown', -1, '9774d56d682e549c'].includes(value as string);
