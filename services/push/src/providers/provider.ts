// The port to the services that accept pushes: Firebase, Apple, or the log.
import type { PushEnvironment, PushKind } from '@landfall/contracts';
import type { PushOutcome } from '../domain/outcomes.ts';
import type { Rendered } from '../domain/render/render-data.ts';

/** One push to one device. */
export interface Push extends Rendered {
  /** The id of the delivery, the same on every attempt. */
  readonly id: string;
  readonly kind: PushKind;
  /** The environment of an APNs token; null when the app did not report it. */
  readonly environment: PushEnvironment | null;
}

/** Whether a provider accepts credentials, and its code for the reason. */
export interface Checked {
  readonly taken: boolean;
  readonly reason: string;
}

/** Asks the provider about credentials in the format of `writePushCredentials`. Null: it cannot be asked. */
export type Check = (credentials: string) => Promise<Checked | null>;

/** An app's connection to one provider. */
export interface PushProvider {
  /** Sends a push. Rejects only after a fault of ours. The caller runs at most {@link PushProvider.atOnce} sends at a time. */
  send(push: Push): Promise<PushOutcome>;
  /** The number of pushes that may be under way at a time. */
  readonly atOnce: number;
  /** Checks the credentials; null when the provider cannot be asked. Sends nothing to any device. */
  check(): Promise<Checked | null>;
  /** Resolves when all pushes under way have their outcome and the connections are closed. */
  close(): Promise<void>;
}
