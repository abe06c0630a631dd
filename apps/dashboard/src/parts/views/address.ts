// Reads the search of an address. Values that mean nothing are left out, so that an old address opens.
import { useMemo } from 'react';

interface RouteWithSearch {
  useSearch: () => object;
}

/**
 * Returns the view of a page, as its address has it. The router keeps what `validateSearch` leaves out in the search of a
 * page, so the view is read from it once more.
 * @param read the function that the route has as `validateSearch`. It stays the same one.
 */
export function useView<View>(route: RouteWithSearch, read: (given: Record<string, unknown>) => View): View {
  const given = route.useSearch();
  return useMemo(() => read({ ...given }), [given, read]);
}

/** Returns the value of the list that is given, if it is one of it. */
export const oneOf = <T extends string>(values: readonly T[], given: unknown): T | undefined =>
  values.find((value) => value === given);

/** Returns the fields that are there. */
export const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
