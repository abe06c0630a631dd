// Reads links from their rows.
import type { Link } from '@landfall/contracts';
import { tableOf } from '@landfall/db';

type Stored = Required<Omit<Link, 'madeBy'>> & {
  makerKind: NonNullable<Link['madeBy']>['kind'] | null;
  makerUserId: string | null;
};

const stored = tableOf<Stored>({
  id: 'uuid',
  appId: 'uuid',
  slug: 'text',
  destination: 'text',
  metadata: 'json',
  createdAt: 'instant',
  expiresAt: 'instant',
  archivedAt: 'instant',
  version: 'int',
  name: 'text',
  note: 'text',
  // An array, which the driver reads.
  tags: 'json',
  webUrl: 'text',
  iosUrl: 'text',
  androidUrl: 'text',
  expiredUrl: 'text',
  makerKind: 'text',
  makerUserId: 'uuid',
});

export function linkOf(row: object): Link {
  const { makerKind, makerUserId, ...link } = stored.of(row);
  return { ...link, madeBy: makerKind === null ? null : { kind: makerKind, userId: makerUserId } };
}
