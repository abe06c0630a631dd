// Reads the search of an address. Values that mean nothing are left out, so that an old address opens. The router keeps
// them in the search of a page: a page reads its view from it again.

/** Returns the value of the list that is given, if it is one of it. */
export const oneOf = <T extends string>(values: readonly T[], given: unknown): T | undefined =>
  values.find((value) => value === given);

/** Returns the fields that are there. */
export const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
