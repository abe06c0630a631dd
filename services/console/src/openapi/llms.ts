// The page for language models: what Landfall is, and where the rest is written.
import { gathered, sendText } from '@landfall/http';
import type { RequestHandler } from 'express';

/** @param withMcp whether `/mcp` is served */
export function llmsPage(publicUrl: string, withMcp: boolean): RequestHandler {
  const page = llms(new URL(publicUrl).origin, withMcp);
  return (_req, res) => {
    gathered(res)['Cache-Control'] = 'no-cache';
    sendText(res, 200, page);
  };
}

const llms = (origin: string, withMcp: boolean): string => `# Landfall

> Deep links that survive the install, on your own servers. A link leads to a place in an app. A tap opens the app, or the store if the app is missing. The first start after the install gets the place back: that is a restore.

Apps and backends use an SDK key of one app (\`x-service-sdk-key: ol_…\`): a mobile key in apps, a server key in backends. People sign in, and their programs use a token (\`authorization: Bearer lf_…\`) with the scope read or write. Errors are JSON with \`error\`, a sentence, and \`code\`.

## API

- [OpenAPI document](${origin}/openapi.json): every route, with its fields, errors and examples
- [AsyncAPI document](${origin}/asyncapi.json): the events on Kafka
${
  withMcp
    ? `- MCP server: ${origin}/mcp, streamable HTTP, with a token of a person. Tools for links, taps, restores, analytics and the set-up of apps. [How to connect](${origin}/docs/guides/mcp.md)
`
    : ''
}
## Recipes

- [Add Landfall to an app](${origin}/docs/guides/add-to-an-app.md): numbered steps, with a check after each
- [Move from Firebase Dynamic Links or Branch](${origin}/docs/guides/move-from-others.md): which field and which call becomes which, and in which order
- [Flutter](${origin}/docs/guides/flutter.md): evidence around the public Flutter client

## Clients

They have the same words: configure, start, onLink, create, identify, push, consent, diagnose. [All of them](${origin}/docs/clients/README.md), and [their rules](${origin}/docs/clients/behaviour.md).

- [React Native](${origin}/docs/clients/javascript/react-native/README.md): \`@landfall/react-native\`
- [Android and the JVM](${origin}/docs/clients/kotlin/README.md): \`landfall-android\`, \`landfall-core\`, in Kotlin
- [iOS](${origin}/docs/clients/swift/README.md): \`Landfall\`, a Swift package
- [Capacitor](${origin}/docs/clients/javascript/capacitor/README.md): \`@landfall/capacitor\`
- [Web pages](${origin}/docs/clients/javascript/web/README.md): \`@landfall/web\`
- [Backends in JavaScript](${origin}/docs/clients/javascript/node/README.md): \`@landfall/node\`
- Flutter: the public client \`openlynk_flutter\`, see the recipe above

## Guides

- [A first app](${origin}/docs/guides/first-app.md): an app, its keys, links in bulk
- [A real phone](${origin}/docs/guides/real-phone.md): names, certificates, Universal Links and App Links
- [Try a link](${origin}/docs/guides/try-a-link.md): what a tap does on each device, and why
- [Matching](${origin}/docs/explanation/matching.md): which device gets a link
- [Push](${origin}/docs/guides/push.md), [analytics](${origin}/docs/guides/analytics.md), [people and tokens](${origin}/docs/guides/people.md), [users of an app](${origin}/docs/guides/user-identity.md)
- [Limits](${origin}/docs/reference/limits.md), [configuration](${origin}/docs/reference/configuration.md), [the command line](${origin}/docs/reference/command-line.md)
`;
