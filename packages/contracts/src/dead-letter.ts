// A message that failed too often, kept so that somebody can look at it and replay it.

export interface DeadLetter {
  /** The letter's own id, a UUID: the same when the sink is tried again. */
  readonly id: string;
  /** Who gave up: the listener's group, or the topic that the command came by. */
  readonly group: string;
  /** The command's or event's name. */
  readonly message: string;
  readonly key: string;
  /** The command's input or the event's data as it travelled; sealed fields stay sealed. */
  readonly data: object;
  /** What the last attempt threw. */
  readonly reason: string;
  /** How often it was tried alone. */
  readonly attempts: number;
  /** The id of the command or event. A replay has the same. */
  readonly messageId: string;
  readonly at: Date;
}
