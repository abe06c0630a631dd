// App.tsx
import { configure, type Link, useLink } from '@landfall/react-native';
import AsyncStorage from '@react-native-async-storage/async-storage';
import {
  getInitialNotification,
  getMessaging,
  getToken,
  onNotificationOpenedApp,
  onTokenRefresh,
  requestPermission,
} from '@react-native-firebase/messaging';
import * as Application from 'expo-application';
import * as Clipboard from 'expo-clipboard';
import * as Device from 'expo-device';
import * as Localization from 'expo-localization';
import { useEffect, useState } from 'react';
import { PermissionsAndroid, Platform, Text, View } from 'react-native';

const landfall = configure({
  url: 'https://api.example',
  key: 'ol_…',
  hosts: ['shop.links.example', 'open-shop.links.example'],
  storage: AsyncStorage,
  application: Application,
  device: Device,
  localization: Localization,
  clipboard: Clipboard,
});
landfall.start();

/** Call it when the person knows why you ask. */
export async function registerForPushes() {
  await requestPermission(getMessaging());
  // Android 13 and newer. Firebase asks on iPhones alone.
  if (Platform.OS === 'android') await PermissionsAndroid.request(PermissionsAndroid.PERMISSIONS.POST_NOTIFICATIONS);
  await landfall.push.register(await getToken(getMessaging()));
  onTokenRefresh(getMessaging(), (token) => landfall.push.register(token));
}

export default function App() {
  const [link, show] = useState<Link | null>(null);

  // Links that were opened, and the one that was tapped before the install.
  useLink((next) => {
    show(next);
    next.handled();
  });

  // Pushes that a person opened: one that started the app, and those that come while it runs.
  useEffect(() => {
    const opened = (message: { data?: Record<string, unknown> } | null) => {
      const next = message && landfall.push.opened(message.data ?? {});
      if (next) show(next);
    };
    getInitialNotification(getMessaging()).then(opened);
    return onNotificationOpenedApp(getMessaging(), opened);
  }, []);

  return (
    <View>
      <Text>{link?.path === '/invite' ? `Your invitation: ${link.parameters.code}` : 'Welcome'}</Text>
    </View>
  );
}
