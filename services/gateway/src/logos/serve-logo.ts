// Serves the logos of apps. An address holds the SHA-256 of its image, so that browsers keep it for ever.
import { ApiError, errorBody, gathered, send, sendJson } from '@landfall/http';
import type { Request, Response } from 'express';
import type { Lookups } from '../lookups/lookups.ts';

/** The path of a logo on every host. */
export const logoPath = (hash: string): string => `/logos/${hash}.png`;
const PATH = /^\/logos\/([0-9a-f]{64})\.png$/;

export function serveLogo(lookups: Pick<Lookups, 'logo'>) {
  return async (req: Request, res: Response): Promise<void> => {
    const [, hash] = PATH.exec(req.path) ?? [];
    const image = hash === undefined ? null : await lookups.logo(hash);
    if (!image) return sendJson(res, 404, errorBody(new ApiError('LOGO_NOT_FOUND')));
    const headers = gathered(res);
    headers['Cache-Control'] = 'public, max-age=31536000, immutable';
    headers['Cross-Origin-Resource-Policy'] = 'cross-origin';
    send(res, 200, 'image/png', image);
  };
}
