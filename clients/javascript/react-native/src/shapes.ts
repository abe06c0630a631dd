// The shapes of other people's modules, as far as they are used. The app passes the modules in, so that this package
// depends on none of them.

/** `@react-native-async-storage/async-storage`, or anything like it. */
export interface AsyncStorageShape {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

/** An instance of `react-native-mmkv`. */
export interface MmkvShape {
  getString(key: string): string | undefined;
  set(key: string, value: string): void;
  /** Before version 4. */
  delete?(key: string): unknown;
  /** Since version 4. */
  remove?(key: string): unknown;
}

/** `expo-application`. */
export interface ExpoApplicationShape {
  readonly applicationId: string | null;
  readonly nativeApplicationVersion: string | null;
  getInstallationTimeAsync(): Promise<Date>;
  getInstallReferrerAsync?(): Promise<string>;
  getAndroidId?(): string;
  getIosIdForVendorAsync?(): Promise<string | null>;
}

/** `expo-device`. */
export interface ExpoDeviceShape {
  readonly modelId?: unknown;
  readonly modelName: string | null;
  readonly osVersion: string | null;
}

/** `expo-localization`, or `react-native-localize`. */
export interface LocalizationShape {
  getLocales(): readonly { readonly languageTag: string }[];
}

/** `react-native-device-info`. */
export interface DeviceInfoShape {
  getVersion(): string;
  getBundleId(): string;
  getModel(): string;
  getDeviceId(): string;
  getSystemVersion(): string;
  getUniqueId(): string | Promise<string>;
  getFirstInstallTime(): Promise<number>;
  getInstallReferrer?(): Promise<string>;
}

/** `expo-clipboard`. */
export interface ExpoClipboardShape {
  getStringAsync(): Promise<string>;
  hasStringAsync?(): Promise<boolean>;
}

/** `@react-native-clipboard/clipboard`. */
export interface CommunityClipboardShape {
  getString(): Promise<string>;
  hasString?(): Promise<boolean>;
}

/** `PlayInstallReferrer` of `react-native-play-install-referrer`. On iOS it has no function. */
export interface PlayInstallReferrerShape {
  getInstallReferrerInfo?(
    done: (info: { readonly installReferrer: string | null } | null, error: unknown) => void,
  ): unknown;
}

/** `Linking` of `react-native`. */
export interface LinkingShape {
  getInitialURL(): Promise<string | null>;
  addEventListener(type: 'url', listener: (event: { url: string }) => void): { remove(): void };
}

/** `Platform` of `react-native`. */
export interface PlatformShape {
  readonly OS: string;
  readonly Version: unknown;
  readonly constants?: unknown;
}
