// A typed client of the API, generated from its OpenAPI document.

export type * from '../generated/schema.ts';
export { type ApiClient, createApiClient } from './client.ts';
