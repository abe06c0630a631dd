// `npm run types`: writes the types of the API's client from its OpenAPI document. They are not committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Document, schemaText } from '@landfall/api-client/generate';
import { openapi, routeGroups } from '@landfall/console';

// The names of the instance do not change the types.
const document = openapi(routeGroups, 'http://localhost:8080', 'session');
const folder = path.resolve(import.meta.dirname, '../../../../packages/api-client/generated');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'schema.ts'), await schemaText(document as unknown as Document));
