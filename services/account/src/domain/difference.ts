// Computes the changed fields of an edit for the audit log.

/** Both sides of the fields that differ, without the version, which every edit counts up. */
export function difference(was: object, is: object): { before: object; after: object } {
  const fields = Object.entries(is).filter(
    ([name, value]) => name !== 'version' && JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
  );
  return {
    before: Object.fromEntries(fields.map(([name]) => [name, was[name as keyof typeof was] ?? null])),
    after: Object.fromEntries(fields),
  };
}
