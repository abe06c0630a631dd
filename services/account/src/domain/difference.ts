// Computes the fields that an edit changes, for the audit log.

/** Returns the old and new values of the changed fields. The version is left out, because every edit increases it. */
export function difference(was: object, is: object): { before: object; after: object } {
  const fields = Object.entries(is).filter(
    ([name, value]) => name !== 'version' && JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
  );
  return {
    before: Object.fromEntries(fields.map(([name]) => [name, was[name as keyof typeof was] ?? null])),
    after: Object.fromEntries(fields),
  };
}
