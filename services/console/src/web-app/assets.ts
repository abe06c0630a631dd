// The files of the web app, in memory: an answer is one write, and costs no look at the disk.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gathered, sendBytes } from '@landfall/http';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';

/** The endings of compressed copies, the smallest first, with their names in HTTP. */
const COMPRESSED = { '.br': 'br', '.gz': 'gzip' };

/** Reads the files of a folder. Returns their bytes by name, a compressed copy under the name of its own file. */
export function readAssets(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
}

/** Sends a file whose name contains its hash. Returns false when there is none. */
export function sendAsset(req: Request, res: Response, assets: ReadonlyMap<string, Buffer>, name: string): boolean {
  const plain = assets.get(name);
  if (!plain) return false;
  const accepted = new Negotiator(req).encodings();
  const small = Object.entries(COMPRESSED).find(([end, coding]) => accepted.includes(coding) && assets.has(name + end));
  const body = small ? assets.get(name + small[0])! : plain;
  Object.assign(gathered(res), {
    'Cache-Control': 'public,max-age=31536000,immutable',
    Vary: 'Accept-Encoding',
    ...(small && { 'Content-Encoding': small[1] }),
  });
  sendBytes(res, 200, res.type(path.extname(name)).get('Content-Type')!, body);
  return true;
}
