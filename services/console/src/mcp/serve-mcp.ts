// Serves the Model Context Protocol over streamable HTTP at `/mcp`, for language models of people. A request has a token,
// as in the management API. There are no sessions and no streams: each request is answered alone, by any console.
import {
  type AnyRoute,
  ApiError,
  aboutCall,
  bearer,
  type ClientAddress,
  gathered,
  type HttpRequest,
  type HttpResponse,
  handlersOf,
  type Kind,
  readRequest,
  type Serving,
  send,
  serveRoutes,
} from '@landfall/http';
import type { Express } from 'express';
import { z } from 'zod';
import { assertSignedIn } from '../access/authorise.ts';
import { type WhoCalls, withoutGuest } from '../access/principal.ts';
import type { ConsoleParts } from '../parts.ts';
import { askRoutes } from './ask-routes.ts';

interface McpServing {
  parts: ConsoleParts;
  serving: Serving;
  whoCalls: WhoCalls;
}

const route = {
  method: 'POST',
  path: '/mcp',
  summary: 'A message of the Model Context Protocol',
  limit: 'manage',
  body: z.looseObject({}, { error: 'must be one JSON-RPC message: batches are not accepted' }),
  reply: z.unknown(),
  errors: [],
} as const satisfies AnyRoute;

/** The headers that the protocol reads. */
const OF_PROTOCOL = ['accept', 'content-type', 'mcp-protocol-version'] as const;

export function serveMcp(app: Express, of: McpServing): void {
  const kind: Kind<AnyRoute> = {
    // `answer` lets in callers with a token.
    assertStated: () => {},
    answer: (_, req, res, address) => answer(req, res, address, of),
  };
  serveRoutes(app, handlersOf([route], kind, of.serving));
}

async function answer(
  req: HttpRequest,
  res: HttpResponse,
  address: ClientAddress,
  { parts, serving, whoCalls }: McpServing,
): Promise<void> {
  assertOwnOrigin(req, new URL(parts.config.PUBLIC_URL).origin);
  // A session of a browser does not count: another site can make a browser send its cookie.
  const caller = bearer(req.headers) === undefined ? null : withoutGuest(await whoCalls(req.headers));
  assertSignedIn('signed-in', caller, req.headers);
  const { body: message } = await readRequest(route, req, res);
  const about = aboutCall(req, res, address, serving);
  const { answerMessage } = await import('./answer-message.ts');
  const response = await answerMessage({
    message,
    headers: Object.fromEntries(OF_PROTOCOL.flatMap((name) => pairOf(name, about.header(name)))),
    caller: caller!,
    ask: askRoutes({ caller: caller!, about, address, parts, serving }),
    log: parts.log,
    requestId: about.requestId,
  });
  gathered(res)['Cache-Control'] = 'no-store';
  send(res, response.status, response.headers.get('content-type') ?? 'application/json', await response.text());
}

/**
 * Throws 403 for a page of another site. By a name that it points at us, such a page could reach a Landfall that only
 * the person's own machine reaches. Programs send no `Origin`.
 */
function assertOwnOrigin({ headers: { origin } }: HttpRequest, own: string): void {
  if (origin !== undefined && origin !== own) throw new ApiError('CROSS_SITE');
}

const pairOf = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];
