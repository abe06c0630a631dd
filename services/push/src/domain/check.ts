// The result of a check of credentials by the provider.

/** Asks the provider whether it accepts the credentials. Resolves to null when the provider cannot be asked. */
export type Check = (credentials: string) => Promise<Checked | null>;

export interface Checked {
  readonly taken: boolean;
  /** The reason, as a code of the provider. */
  readonly reason: string;
}
