// Whether a provider takes credentials.

/** Asks the provider that they are for. Null: it cannot be asked. */
export type Check = (credentials: string) => Promise<Checked | null>;

export interface Checked {
  readonly taken: boolean;
  /** Why not, in a word of the provider's. */
  readonly reason: string;
}
