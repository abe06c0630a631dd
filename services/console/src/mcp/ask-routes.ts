// Lets a tool call routes of the management API in this process. All that a route demands of a request holds here, too:
// its limit, the form of its fields, the role of the caller. A change leaves the same entry in the audit log.
// biome-ignore-all lint/suspicious/noExplicitAny: a tool may call routes of different types
import { type ClientAddress, parsed, rateLimited, type Serving, useOfAddress } from '@landfall/http';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ConsoleParts } from '../parts.ts';
import type { ManageRoute } from '../routing/route.ts';
import { type AboutCall, runRoute } from '../routing/serve-manage.ts';

/** What a request to a route would give. Fields that are undefined count as omitted. */
export interface Given {
  params?: object;
  query?: object;
  body?: object;
  headers?: Record<string, string | undefined>;
}

/** Returns the reply of a route to this caller. Throws what the route throws. */
export type Ask = <R extends z.ZodType>(
  route: ManageRoute<any, any, any, any, R>,
  given?: Given,
) => Promise<z.input<R>>;

interface Asking {
  caller: Caller;
  /** The request that brings the call of the tool. */
  about: Omit<AboutCall, 'headers' | 'header'>;
  address: ClientAddress;
  parts: ConsoleParts;
  serving: Serving;
}

export function askRoutes({ caller, about, address, parts, serving }: Asking): Ask {
  return async <R extends z.ZodType>(
    route: ManageRoute<any, any, any, any, R>,
    { params = {}, query = {}, body = {}, headers = {} }: Given = {},
  ) => {
    const used = await useOfAddress(serving.limits, route.limit, address);
    if (!used.allowed) throw rateLimited(used);
    const given = {
      params: route.params && parsed(route.params, params),
      query: route.query && parsed(route.query, query),
      body: route.body && parsed(route.body, body),
    };
    const call = { ...about, headers, header: (name: string) => headers[name] };
    return (await runRoute(route, given, caller, call, parts)).reply as z.input<R>;
  };
}
