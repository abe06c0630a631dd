// Code that a developer copies: it names the hosts and the key of this app.

export interface Values {
  /** The origin of the API. */
  api: string;
  appId: string;
  /** The hosts of the app's links, without ports. */
  hosts: readonly string[];
  /** The key for the app, or what stands for it. */
  key: string;
}

export interface Snippet {
  /** A key of the texts: what the code is for. */
  step: 'entitlements' | 'manifest' | 'opened' | 'restore' | 'native' | 'public' | 'link' | 'create' | 'bulk';
  code: string;
}

export const PLATFORMS = ['ios', 'android', 'react-native', 'flutter', 'web', 'server'] as const;
export type SetUpPlatform = (typeof PLATFORMS)[number];

const swift = ({ api, appId, key }: Values): Snippet[] => [
  {
    step: 'opened',
    code: `// In the scene: iOS opens the app with the link.
func scene(_ scene: UIScene, continue activity: NSUserActivity) {
  guard let url = activity.webpageURL, let host = url.host else { return }
  var resolve = URLComponents(string: "${api}/api/links/get-by-slug")!
  resolve.queryItems = [
    URLQueryItem(name: "slug", value: url.lastPathComponent),
    URLQueryItem(name: "hostname", value: host),
  ]
  var request = URLRequest(url: resolve.url!)
  request.setValue("${key}", forHTTPHeaderField: "x-service-sdk-key")
  URLSession.shared.dataTask(with: request) { data, _, _ in
    // link.destination is the path to open, link.metadata what the link carries.
  }.resume()
}`,
  },
  {
    step: 'restore',
    code: `// At the first start after the install: first a heartbeat, then the question.
func ask(_ path: String) async throws -> Data {
  let home = try FileManager.default.attributesOfItem(atPath: NSHomeDirectory())
  let installedAt = home[.creationDate] as? Date ?? Date()
  var request = URLRequest(url: URL(string: "${api}/api/deferred-deep-linking/\\(path)")!)
  request.httpMethod = "POST"
  request.setValue("${key}", forHTTPHeaderField: "x-service-sdk-key")
  request.setValue("application/json", forHTTPHeaderField: "content-type")
  request.httpBody = try JSONSerialization.data(withJSONObject: [
    "appId": "${appId}",
    "deviceFingerprint": UIDevice.current.identifierForVendor!.uuidString,
    "platform": "ios",
    "installedSecondsAgo": Int(Date().timeIntervalSince(installedAt)),
  ])
  return try await URLSession.shared.data(for: request).0
}
_ = try await ask("install-heartbeat")
let data = try await ask("restore")
// restoredLinks[0].destination is the path to open. The list is empty when there is no link.`,
  },
];

const kotlin = ({ api, appId, key }: Values): Snippet[] => [
  {
    step: 'opened',
    code: `// In the activity: Android opens the app with the link. OkHttp sends the request.
intent.data?.let { link ->
  val url = "${api}/api/links/get-by-slug".toHttpUrl().newBuilder()
    .addQueryParameter("slug", link.lastPathSegment)
    .addQueryParameter("hostname", link.host)
    .build()
  val request = Request.Builder().url(url).header("x-service-sdk-key", "${key}").build()
  client.newCall(request).enqueue(/* link.destination is the path to open. */)
}`,
  },
  {
    step: 'restore',
    code: `// At the first start after the install: first a heartbeat, then the question. In a background thread.
val installedAt = context.packageManager.getPackageInfo(context.packageName, 0).firstInstallTime
fun ask(path: String): String {
  val body = JSONObject()
    .put("appId", "${appId}")
    .put("deviceFingerprint", installationId) // random, kept by the app since its first start
    .put("platform", "android")
    .put("installedSecondsAgo", (System.currentTimeMillis() - installedAt) / 1000)
  val request = Request.Builder()
    .url("${api}/api/deferred-deep-linking/$path")
    .header("x-service-sdk-key", "${key}")
    .post(body.toString().toRequestBody("application/json".toMediaType()))
    .build()
  return client.newCall(request).execute().use { it.body!!.string() }
}
ask("install-heartbeat")
val answer = ask("restore")
// restoredLinks[0].destination is the path to open. The list is empty when there is no link.`,
  },
];

export const snippetsOf: Record<SetUpPlatform, (values: Values) => Snippet[]> = {
  ios: (values) => [
    {
      step: 'entitlements',
      code: `<!-- App.entitlements -->
<key>com.apple.developer.associated-domains</key>
<array>
${values.hosts.map((host) => `  <string>applinks:${host}</string>`).join('\n')}
</array>`,
    },
    ...swift(values),
  ],
  android: (values) => [
    {
      step: 'manifest',
      code: `<!-- AndroidManifest.xml, in the activity that opens links -->
<intent-filter android:autoVerify="true">
  <action android:name="android.intent.action.VIEW" />
  <category android:name="android.intent.category.DEFAULT" />
  <category android:name="android.intent.category.BROWSABLE" />
  <data android:scheme="https" />
${values.hosts.map((host) => `  <data android:host="${host}" />`).join('\n')}
</intent-filter>`,
    },
    ...kotlin(values),
  ],
  'react-native': ({ api, appId, key }) => [
    {
      step: 'native',
      code: `import { useEffect } from 'react';
import {Linking, Platform} from 'react-native';

const API = '${api}';
const headers = { 'x-service-sdk-key': '${key}', 'content-type': 'application/json' };

// Beside the entitlements and the manifest of the native tabs.
export function useLinks(open) {
  useEffect(() => {
    const follow = async ({ url }) => {
      const { host, pathname } = new URL(url);
      const query = new URLSearchParams({ slug: pathname.split('/').pop(), hostname: host });
      const { link } = await (await fetch(\`\${API}/api/links/get-by-slug?\${query}\`, { headers })).json();
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
    fetch(\`\${API}/api/deferred-deep-linking/\${path}\`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ appId: '${appId}', deviceFingerprint, platform: Platform.OS }),
    });
  await ask('install-heartbeat');
  const { restoredLinks } = await (await ask('restore')).json();
  return restoredLinks.map(({ destination, metadata }) => ({ destination, metadata }));
}`,
    },
  ],
  flutter: ({ api, appId, key }) => [
    {
      step: 'public',
      code: `// The public client openlynk_flutter takes these values.
baseUrl: '${api}',
apiKey: '${key}',
appId: '${appId}',`,
    },
  ],
  web: ({ hosts }) => [
    {
      step: 'link',
      code: `<!-- A link of the app is an ordinary link. The phone opens the app or goes to the store. -->
<a href="https://${hosts[0]}/YOUR-SLUG">Open in the app</a>`,
    },
  ],
  server: ({ api, key }) => [
    {
      step: 'create',
      code: `curl -X POST ${api}/api/links/create-sdk \\
  -H 'x-service-sdk-key: ${key}' -H 'content-type: application/json' \\
  -d '{"destination": "/invite?code=42&utm_campaign=spring", "metadata": {"inviter": "ada"}}'`,
    },
    {
      step: 'bulk',
      code: `// Up to 1,000 links in one call. Each row has its own outcome.
const answer = await fetch('${api}/api/links/create-bulk', {
  method: 'POST',
  headers: { 'x-service-sdk-key': '${key}', 'content-type': 'application/json' },
  body: JSON.stringify({
    links: [{ destination: '/invite?code=1', idempotencyKey: 'invite-1' }],
  }),
});
const { outcomes } = await answer.json();`,
    },
  ],
};
