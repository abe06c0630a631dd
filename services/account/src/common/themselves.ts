// What only the person themselves may do, and the operator for them: none of their tokens.
import type { Actor } from '@landfall/contracts';

export const isThemselves = ({ kind, userId }: Actor, person: string): boolean =>
  kind === 'operator' || (kind === 'person' && userId === person);
