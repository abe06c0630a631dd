// The types of the API's client, made from the OpenAPI document.
import { type Document, schemaText } from '@landfall/api-client/generate';
import { openapi, routeGroups } from '@landfall/gateway';

/** Returns the text of packages/api-client/src/schema.ts. The names of the instance do not change the types. */
export const apiClientText = (): Promise<string> =>
  schemaText(openapi(routeGroups, 'http://localhost:8080', 'session') as unknown as Document);
