import type { IncomingHttpHeaders } from 'node:http';

/** Returns the value after `Authorization: Bearer`. */
export const bearer = (headers: IncomingHttpHeaders): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
