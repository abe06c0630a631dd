// The port to the services that accept pushes: Firebase, Apple, or the log.
import type { Platform, PushEnvironment, PushKind, PushMessage } from '@landfall/contracts';
import type { PushOutcome } from '../domain/outcome.ts';

/** One push to one device. */
export interface Push {
  /** The id of the delivery, the same on every attempt. */
  readonly id: string;
  readonly notificationId: string;
  readonly token: string;
  readonly kind: PushKind;
  /** The environment of an APNs token; null when the app did not report it. */
  readonly environment: PushEnvironment | null;
  readonly platform: Platform;
  /** The language of the device, BCP 47; null: unknown. */
  readonly language: string | null;
  readonly message: PushMessage;
  /** After this time the push need not be delivered. */
  readonly expiresAt: Date;
}

/** An app's connection to one provider. */
export interface PushProvider {
  /** Sends a push. Rejects only after a fault of ours. The caller runs at most {@link PushProvider.atOnce} sends at a time. */
  send(push: Push): Promise<PushOutcome>;
  /** The number of pushes that may be under way at a time. */
  readonly atOnce: number;
  /**
   * Checks whether the provider accepts the credentials; `null` when the provider cannot be asked. Sends nothing to any
   * device.
   */
  check(): Promise<{ readonly taken: boolean; readonly reason: string } | null>;
  /** Resolves when all pushes under way have their outcome and the connections are closed. */
  close(): Promise<void>;
}

/** Milliseconds. Every send takes less time, whatever the provider does. A lease on a push lasts at least as long. */
export const LONGEST_SEND_MS = 50_000;
