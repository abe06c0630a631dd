import { useEffect } from 'react';
import { Linking, Platform } from 'react-native';

const API = '{{api}}';
const headers = { 'x-service-sdk-key': '{{key}}', 'content-type': 'application/json' };

// Beside the entitlements and the manifest of the native tabs.
export function useLinks(open) {
  useEffect(() => {
    const follow = async ({ url }) => {
      const { host, pathname } = new URL(url);
      const query = new URLSearchParams({ slug: pathname.split('/').pop(), hostname: host });
      const { link } = await (await fetch(`${API}/api/links/get-by-slug?${query}`, { headers })).json();
      if (link) open(link.destination, link.metadata);
    };
    Linking.getInitialURL().then((url) => url && follow({ url }));
    const subscription = Linking.addEventListener('url', follow);
    return () => subscription.remove();
  }, []);
}

// At the first start after the install: first a heartbeat, then the question.
export async function restore(deviceFingerprint) {
  const ask = (path) =>
    fetch(`${API}/api/deferred-deep-linking/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ appId: '{{appId}}', deviceFingerprint, platform: Platform.OS }),
    });
  await ask('install-heartbeat');
  const { restoredLinks } = await (await ask('restore')).json();
  return restoredLinks.map(({ destination, metadata }) => ({ destination, metadata }));
}
