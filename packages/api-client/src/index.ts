export type * from '../generated/schema.ts';
export { type ApiClient, createApiClient } from './client.ts';
