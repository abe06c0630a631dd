// Actions of the person themselves, or of the operator for them. Their tokens may not do these.
import type { Actor } from '@landfall/contracts';

export const isThemselves = ({ kind, userId }: Actor, person: string): boolean =>
  kind === 'operator' || (kind === 'person' && userId === person);
