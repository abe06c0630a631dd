import type { Listener } from '@landfall/bus';
import type { LinkEdited } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { linkStateRepository } from '../repositories/link-state-repository.ts';

/** Stores the state of edited links. No device gets a link that is archived or expired, until an edit reverses that. */
export function followLink(database: Database): Listener<typeof LinkEdited> {
  const states = linkStateRepository(database);
  return (batch) => states.keep(batch.map(({ data }) => data));
}
