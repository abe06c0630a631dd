// A typed client of the API, for browsers and for Node.
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from '../generated/schema.ts';

export type ApiClient = Client<paths>;

/** Browsers send it with requests of our own pages only. */
export const SAME_SITE = 'x-landfall';

/** @param options as for openapi-fetch: `baseUrl`, `fetch` */
export const createApiClient = (options: Omit<ClientOptions, 'headers'>): ApiClient =>
  createFetchClient<paths>({ ...options, headers: { [SAME_SITE]: '1' } });
