// `npm run types`: writes the types of the API's clients from its OpenAPI document: those of the web app, and those of the
// packed client for servers. They are not committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, schemaText } from '@landfall/api-client/generate';
import { openapi, routeGroups } from '@landfall/console';
import { forServers } from './for-servers.ts';

// The names of the instance do not change the types.
const document = openapi(routeGroups, 'http://localhost:8080', 'session') as unknown as Document;
await write('packages/api-client/generated', document);
await write('clients/javascript/node/src/generated', forServers(document));

async function write(folder: string, types: Document): Promise<void> {
  const to = path.resolve(import.meta.dirname, '../../../..', folder);
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'schema.ts'), await schemaText(types));
}
