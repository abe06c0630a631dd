// The client of the API. Every failure is thrown as an ApiFailure.
import { createApiClient } from '@landfall/api-client';
import createQueryClient from 'openapi-react-query';
import { failureOf, noAnswer } from './failure.ts';

/** Milliseconds after which a request counts as unanswered. The slowest question to analytics has 15 s. */
const WITHIN_MS = 20_000;

export const client = createApiClient({
  baseUrl: location.origin,
  fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(WITHIN_MS)]) }),
});

client.use({
  async onResponse({ response }) {
    if (!response.ok) throw await failureOf(response);
    if (!response.headers.get('content-type')?.includes('application/json')) throw noAnswer();
  },
  onError({ error }) {
    // The caller has left: its query was cancelled.
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return noAnswer();
  },
});

export const api = createQueryClient(client);
