import type { Listener } from '@landfall/bus';
import type { LinkEdited } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { keepLinkStates } from '../repositories/link-state-repository.ts';

/** Nobody is given a link that is archived or has expired, until it is taken back. */
export function followLink(database: Database): Listener<typeof LinkEdited> {
  return (batch) =>
    keepLinkStates(
      database,
      batch.map(({ data }) => data),
    );
}
