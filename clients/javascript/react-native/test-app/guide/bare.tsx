// App.tsx
import { configure } from '@landfall/react-native';
import AsyncStorage from '@react-native-async-storage/async-storage';
import Clipboard from '@react-native-clipboard/clipboard';
import {
  getInitialNotification,
  getMessaging,
  getToken,
  onNotificationOpenedApp,
  onTokenRefresh,
  requestPermission,
} from '@react-native-firebase/messaging';
import { createNavigationContainerRef, NavigationContainer } from '@react-navigation/native';
import { createNativeStackNavigator } from '@react-navigation/native-stack';
import { useEffect } from 'react';
import { PermissionsAndroid, Platform, Text } from 'react-native';
import DeviceInfo from 'react-native-device-info';
import * as Localize from 'react-native-localize';
import { PlayInstallReferrer } from 'react-native-play-install-referrer';

type Screens = { Home: undefined; Invite: { code?: string } };

const landfall = configure({
  url: 'https://api.example',
  key: 'ol_…',
  hosts: ['shop.links.example', 'open-shop.links.example'],
  storage: AsyncStorage,
  deviceInfo: DeviceInfo,
  localization: Localize,
  installReferrer: PlayInstallReferrer,
  clipboard: Clipboard,
});
landfall.start();

// Links navigate by this: `/invite?code=7` is the screen Invite with the parameter code.
const linking = landfall.linking({ config: { screens: { Home: '', Invite: 'invite' } } });
const navigation = createNavigationContainerRef<Screens>();
const Stack = createNativeStackNavigator<Screens>();

/** Call it when the person knows why you ask. */
export async function registerForPushes() {
  await requestPermission(getMessaging());
  // Android 13 and newer. Firebase asks on iPhones alone.
  if (Platform.OS === 'android') await PermissionsAndroid.request(PermissionsAndroid.PERMISSIONS.POST_NOTIFICATIONS);
  await landfall.push.register(await getToken(getMessaging()));
  onTokenRefresh(getMessaging(), (token) => landfall.push.register(token));
}

function openPush(message: { data?: Record<string, unknown> } | null) {
  const link = message && landfall.push.opened(message.data ?? {});
  if (link?.path === '/invite') navigation.navigate('Invite', link.parameters);
}

export default function App() {
  useEffect(() => onNotificationOpenedApp(getMessaging(), openPush), []);
  return (
    <NavigationContainer
      linking={linking}
      ref={navigation}
      onReady={() => getInitialNotification(getMessaging()).then(openPush)}
    >
      <Stack.Navigator>
        <Stack.Screen name="Home">{() => <Text>Welcome</Text>}</Stack.Screen>
        <Stack.Screen name="Invite">{({ route }) => <Text>Your invitation: {route.params.code}</Text>}</Stack.Screen>
      </Stack.Navigator>
    </NavigationContainer>
  );
}
