// Landfall for React Native and Expo.
import type { Link } from '@landfall/client';
import { useEffect, useRef } from 'react';
import { Linking, Platform } from 'react-native';
import { configureWith, type Options, type ReactNativeLandfall } from './configure.ts';

let configured: ReactNativeLandfall | undefined;

/**
 * Makes the client. Sends nothing. Call it once, outside of components.
 * @throws {Error} if an option is missing
 */
export function configure(options: Options): ReactNativeLandfall {
  configured = configureWith({ Linking, Platform }, options);
  return configured;
}

/**
 * Calls the listener with every link, while the component is mounted. Links wait for the first listener.
 * @throws {Error} if `configure` was not called
 */
export function useLink(listener: (link: Link) => void): void {
  // The listener of the last rendering, so that a new one does not have to subscribe again.
  const latest = useRef(listener);
  latest.current = listener;
  const client = configured;
  if (!client) throw new Error('Call configure() before useLink().');
  useEffect(() => client.onLink((link) => latest.current(link)), [client]);
}

export type {
  CreatedLink,
  Fields,
  Finding,
  Landfall,
  Link,
  LinkData,
  Match,
  NewLink,
  Push,
  PushOptions,
  User,
  Via,
} from '@landfall/client';
export { LandfallError } from '@landfall/client';
export type { Options, ReactNativeLandfall } from './configure.ts';
export type { LinkingOptions, NavigationLinking } from './linking.ts';
export type * from './shapes.ts';
