// Serves the routes of the management API: who calls, and whether they may.
import {
  aboutCall,
  type ClientAddress,
  type HttpRequest,
  type HttpResponse,
  type Kind,
  type Right,
  readRequest,
  type Serving,
  sendReply,
} from '@landfall/http';
import { assertSameSite, assertSignedIn, authorise } from '../access/authorise.ts';
import type { Caller, Guest } from '../access/caller.ts';
import { idOf, isForGuests, needsList } from '../access/needs.ts';
import { actorOf, type WhoCalls, withoutGuest } from '../access/principal.ts';
import { orNoAnswer } from '../common/database-away.ts';
import type { ConsoleParts } from '../parts.ts';
import type { ManageRoute } from './route.ts';

export interface ManageServing {
  parts: ConsoleParts;
  serving: Serving;
  whoCalls: WhoCalls;
  /** The same, and no use of the session or token. */
  whoStillCalls: WhoCalls;
}

export const manageKind = (of: ManageServing): Kind<ManageRoute> => ({
  assertStated,
  answer: (route, req, res, address) => answer(route, req, res, address, of),
});

/** Throws when a route names no needs. A missing statement would make the route public. */
function assertStated({ path, method, needs }: ManageRoute): void {
  const name = `${method} ${path}`;
  if (needs === undefined || needsList(needs).length === 0)
    throw new Error(`${name} does not state its callers: give it \`needs\`.`);
  for (const need of needsList(needs)) {
    const named = typeof need !== 'object' || need.in === 'body' || path.split('/').includes(`:${idOf(need.of)}`);
    if (!named)
      throw new Error(`${name} needs a role of the ${need.of}, which its path must name as :${idOf(need.of)}.`);
  }
}

/** Reads no body before the sign-in check, and runs no handler before the needs are met. */
async function answer(
  route: ManageRoute,
  req: HttpRequest,
  res: HttpResponse,
  address: ClientAddress,
  { parts, serving, whoCalls, whoStillCalls }: ManageServing,
): Promise<void> {
  const caller = knownTo(route, await whoCalls(req.headers));
  assertSignedIn(route.needs, caller, req.headers);
  assertSameSite(route.method, req.headers, new URL(parts.config.PUBLIC_URL).origin);
  const given = await readRequest(route, req, res);
  const about = { ...aboutCall(req, res, address, serving), headers: req.headers };
  const { reply, headers } = await runRoute(route, given, caller, about, parts);
  for (const [name, value] of headers) res.appendHeader(name, value);
  return sendReply(res, reply, rightOf);

  function rightOf(): Right {
    const { lookups } = parts;
    const ids = [...idsOf(caller), ...Object.values(given.params as Record<string, string>)];
    return {
      check: async () => authorise(route.needs, knownTo(route, await whoStillCalls(req.headers)), given, lookups),
      watch: (seen) => lookups.watch(ids, seen),
    };
  }
}

const knownTo = ({ needs }: ManageRoute, caller: Caller | Guest | null): Caller | Guest | null =>
  isForGuests(needs) ? caller : withoutGuest(caller);

type Call = Parameters<ManageRoute['handle']>[0];

/** What a call says besides its path, query and body. */
export type AboutCall = ReturnType<typeof aboutCall> & Pick<Call, 'headers'>;

/**
 * Runs a route for a caller, who must be signed in if the route needs that. Returns its reply, and the headers that it
 * sets. Throws when the caller does not meet the needs of the route, before the handler runs.
 * @param given what the schemas of the route made of the request
 */
export async function runRoute(
  route: ManageRoute,
  given: Pick<Call, 'params' | 'query' | 'body'>,
  caller: Caller | Guest | null,
  about: AboutCall,
  parts: ConsoleParts,
): Promise<{ reply: object; headers: [string, string | string[]][] }> {
  await authorise(route.needs, caller, given, parts.lookups);
  const headers: [string, string | string[]][] = [];
  const call: Call = {
    ...given,
    ...about,
    caller,
    actor() {
      if (!caller || caller.kind === 'guest') throw new Error('this route needs no sign-in, so there may be no actor');
      return actorOf(caller, parts.hashes.address(about.address));
    },
    change: (command, decide) => parts.change({ command, actor: call.actor(), now: parts.now() }, decide),
    setHeader: (name, value) => headers.push([name, value]),
  };
  return { reply: await orNoAnswer(route.handle(call, parts)), headers };
}

/** Returns the ids whose changes may end the rights of a caller. */
function idsOf(caller: Caller | Guest | null): string[] {
  if (caller === null || caller.kind === 'visitor' || caller.kind === 'guest') return [];
  return [caller.kind === 'operator' ? caller.tokenId : caller.userId];
}
