// A message that failed too often. It is kept so that a person can read it and replay it.

export interface DeadLetter {
  /** The id of the dead letter, a UUID. A retry of the sink has the same id. */
  readonly id: string;
  /** The consumer group that gave up on an event, or the topic of the command. */
  readonly group: string;
  readonly message: string;
  readonly key: string;
  /** The input of the command or the data of the event, as it was sent. Sealed fields stay sealed. */
  readonly data: object;
  /** The error of the last attempt. */
  readonly reason: string;
  /** The number of attempts with this message alone. */
  readonly attempts: number;
  /** The id of the command or event. A replay has the same id. */
  readonly messageId: string;
  readonly at: Date;
}
