// The arguments of `npm start -- …`.
import { StartError } from '@landfall/runtime';

/** How a phone reaches this machine: not at all, in the local network, or through a tunnel. */
export type Reach = 'none' | 'lan' | 'tunnel';

const known = new Map<string, Reach>([
  ['--lan', 'lan'],
  ['--tunnel', 'tunnel'],
]);

/** @throws StartError for an unknown argument, and for both at once */
export function startArguments(args: readonly string[]): Reach {
  const wrong = args.find((arg) => !known.has(arg));
  if (wrong !== undefined)
    throw new StartError(`npm start does not know ${wrong}. It takes --lan or --tunnel: npm start -- --lan`);
  const reaches = new Set(args.map((arg) => known.get(arg)!));
  if (reaches.size > 1) throw new StartError('Choose --lan or --tunnel: the demo link has one host for phones.');
  return [...reaches][0] ?? 'none';
}
