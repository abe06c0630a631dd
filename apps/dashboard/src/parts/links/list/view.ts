// What the list of links shows, as it is in the address of the page.
import type { paths } from '@landfall/api-client';
import { oneOf, withoutUndefined } from '../../views/address.ts';

export const STATES = ['all', 'live', 'expired', 'archived'] as const;
export const SORTS = ['created', 'clicks', 'installs', 'rate'] as const;
export type Sort = (typeof SORTS)[number];
export const RANGES = ['7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];
export const ORIGINS = ['people', 'keys'] as const;

export const LINKS = '/api/manage/apps/{appId}/links';
export type ListAnswer = paths[typeof LINKS]['get']['responses'][200]['content']['application/json'];
export type ListedLink = ListAnswer['links'][number];
export type Total = NonNullable<ListAnswer['total']>;

/** The links that are meant, as the API takes it. */
export interface LinkFilter {
  state?: 'live' | 'expired' | 'archived';
  search?: string;
  tag?: string;
  campaign?: string;
  origin?: (typeof ORIGINS)[number];
  /** The id of a person. */
  createdBy?: string;
}

export interface View extends LinkFilter {
  /** Left out: the newest first. */
  sort?: Exclude<Sort, 'created'>;
  /** The days of the figures. Left out: 30. */
  range?: Exclude<Range, '30d'>;
}

/** An address that somebody typed may have a number here. */
const textOf = (given: unknown): string | undefined =>
  ['string', 'number'].includes(typeof given) && given !== '' ? `${given}` : undefined;

/** Reads a view from the address. Values that mean nothing are left out, so that an old address opens. */
export const viewOf = ({
  state,
  search,
  tag,
  campaign,
  origin,
  createdBy,
  sort,
  range,
}: Record<string, unknown>): View =>
  withoutUndefined({
    state: oneOf(['live', 'expired', 'archived'] as const, state),
    search: textOf(search),
    tag: textOf(tag),
    campaign: textOf(campaign),
    origin: oneOf(ORIGINS, origin),
    createdBy: textOf(createdBy),
    sort: oneOf(['clicks', 'installs', 'rate'] as const, sort),
    range: oneOf(['7d', '90d'] as const, range),
  });

/** Returns the filter of a view alone. */
export const filterOf = ({ sort: _, range: __, ...filter }: View): LinkFilter => filter;

export const isFiltered = (view: View): boolean => Object.keys(filterOf(view)).length > 0;
