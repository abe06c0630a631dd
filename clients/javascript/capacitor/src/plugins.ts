// The parts of Capacitor's plugins that the client uses. The app passes the plugins in, so no version of them is named here.

/** `import { App } from '@capacitor/app'`. */
export interface AppPlugin {
  getInfo(): Promise<{ id: string; version: string }>;
  getLaunchUrl(): Promise<{ url: string } | undefined>;
  addListener(event: 'appUrlOpen', listener: (event: { url: string }) => void): unknown;
}

/** `import { Device } from '@capacitor/device'`. */
export interface DevicePlugin {
  getId(): Promise<{ identifier: string }>;
  getInfo(): Promise<{ platform: string; osVersion: string; model: string }>;
  getLanguageTag(): Promise<{ value: string }>;
}

/** `import { Preferences } from '@capacitor/preferences'`. */
export interface PreferencesPlugin {
  get(options: { key: string }): Promise<{ value: string | null }>;
  set(options: { key: string; value: string }): Promise<void>;
  remove(options: { key: string }): Promise<void>;
}

/** `import { CapacitorHttp } from '@capacitor/core'`. */
export interface HttpPlugin {
  request(options: {
    url: string;
    method: string;
    headers: Record<string, string>;
    data?: unknown;
  }): Promise<{ status: number; headers: Record<string, string>; data: unknown }>;
}

/** `import { Clipboard } from '@capacitor/clipboard'`. */
export interface ClipboardPlugin {
  read(): Promise<{ type: string; value: string }>;
}
