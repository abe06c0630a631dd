// Finds the latest registration of each device in a batch.

export interface Registration {
  /** The id of the device. */
  readonly id: string;
  /** The id of the message. */
  readonly messageId: string;
  readonly at: Date;
}

/**
 * Returns the latest registration of each device, for any order of the input. Of two registrations at the same time,
 * always returns the same one.
 */
export function latest<R extends Registration>(registrations: readonly R[]): R[] {
  const kept = new Map<string, R>();
  for (const one of registrations) {
    const other = kept.get(one.id);
    if (!other || isLater(one, other)) kept.set(one.id, one);
  }
  return [...kept.values()];
}

const isLater = (a: Registration, b: Registration): boolean =>
  a.at.getTime() === b.at.getTime() ? a.messageId > b.messageId : a.at.getTime() > b.at.getTime();
