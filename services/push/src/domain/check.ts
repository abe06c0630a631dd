// The result of a check of credentials by the provider.

/** Asks the provider that they are for. Null: it cannot be asked. */
export type Check = (credentials: string) => Promise<Checked | null>;

export interface Checked {
  readonly taken: boolean;
  /** The reason, in a word of the provider's. */
  readonly reason: string;
}
