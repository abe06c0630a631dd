// Devices: what a batch of registrations makes of each.

export interface Registration {
  /** The device. */
  readonly id: string;
  /** The message. */
  readonly messageId: string;
  readonly at: Date;
}

/** The latest registration of each device, whatever order they come in. Of two at one moment always the same one. */
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
