// A typed client of the API, generated from its OpenAPI document.
export { type ApiClient, createApiClient } from './client.ts';
export type * from './schema.ts';
