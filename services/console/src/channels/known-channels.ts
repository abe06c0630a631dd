import { ApiError } from '@landfall/http';
import type { Changing } from '../changes/change.ts';

/** Returns the ids, each once. Throws 400 when one is no channel of the app. */
export async function knownChannels(
  { tx, account }: Changing,
  appId: string,
  ids: readonly string[],
): Promise<string[]> {
  const once = [...new Set(ids.map((id) => id.toLowerCase()))];
  const [unknown] = await account.channels.unknown(tx, appId, once);
  if (unknown !== undefined)
    throw new ApiError('INVALID_REQUEST', [
      { path: 'channelIds', message: `has ${unknown}, which is no channel of the app` },
    ]);
  return once;
}
