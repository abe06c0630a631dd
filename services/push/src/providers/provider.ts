// The port to whoever takes pushes: Firebase, Apple, or the log.
import type { Platform, PushEnvironment, PushKind, PushMessage } from '@landfall/contracts';
import type { PushOutcome } from '../domain/outcome.ts';

/** One push to one device. */
export interface Push {
  /** The delivery's: the same on every attempt. */
  readonly id: string;
  readonly notificationId: string;
  readonly token: string;
  readonly kind: PushKind;
  /** Of an APNs token, as far as the app said it. */
  readonly environment: PushEnvironment | null;
  readonly platform: Platform;
  /** Of the device, BCP 47; null: unknown. */
  readonly language: string | null;
  readonly message: PushMessage;
  /** After this time the push need not be delivered. */
  readonly expiresAt: Date;
}

/** An app's connection to one provider. */
export interface PushProvider {
  /** Never rejects. At most {@link PushProvider.atOnce} at a time. */
  send(push: Push): Promise<PushOutcome>;
  /** The number of pushes that may be under way. */
  readonly atOnce: number;
  /** Checks whether the provider takes the credentials; `null` when it cannot be asked. Nothing is sent to anybody. */
  check(): Promise<{ readonly taken: boolean; readonly reason: string } | null>;
  /** Resolves when what was under way has its outcome and the connections are closed. */
  close(): Promise<void>;
}

/** Longer than any send takes, in milliseconds, whatever the provider does: a lease on a push lasts at least as long. */
export const LONGEST_SEND_MS = 50_000;
