// Decides whether the caller is the person or the operator. A person's tokens may not do actions that need this.
import type { Actor } from '@landfall/contracts';

export const isThemselves = ({ kind, userId }: Actor, person: string): boolean =>
  kind === 'operator' || (kind === 'person' && userId === person);
