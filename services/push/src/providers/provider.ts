// The port to whoever takes pushes: Firebase, Apple, or the log.
import type { Platform, PushEnvironment, PushKind, PushMessage } from '@landfall/contracts';
import type { SUSPICIOUS } from '../domain/outcomes.ts';

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
  /** What is not delivered by then need not be. */
  readonly expiresAt: Date;
}

/**
 * What became of it.
 *
 * - `sent`: the provider took it.
 * - `drop`: the token is of no use. `asOf`: since when, where the provider says it.
 * - `suspect`: the provider means the token or the message, and does not say which: what it says of other devices shows it.
 * - `fail`: this message cannot be sent to this token, which is kept.
 * - `pause`: the provider refuses the app's credentials. Nothing more is sent through it until somebody mends them.
 * - `wait`: not now; not sent. `all`: every push of the app through this provider; `device`: this one.
 * - `retry`: not sent, for a reason that may pass.
 * - `unknown`: it may have been sent: no answer came.
 */
export type Outcome =
  | { readonly kind: 'sent'; readonly providerId: string | null; readonly logged: boolean }
  | { readonly kind: 'drop'; readonly reason: string; readonly asOf: Date | null }
  | { readonly kind: 'suspect'; readonly reason: typeof SUSPICIOUS }
  | { readonly kind: 'fail'; readonly reason: string }
  | { readonly kind: 'pause'; readonly reason: string }
  | {
      readonly kind: 'wait';
      readonly whom: 'all' | 'device';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An app's connection to one provider. */
export interface Provider {
  /** Never rejects. At most {@link Provider.atOnce} at a time. */
  send(push: Push): Promise<Outcome>;
  /** How many pushes may be under way. */
  readonly atOnce: number;
  /** Whether the provider takes the credentials; `null` when it cannot be asked. Sends nothing to anybody. */
  check(): Promise<{ readonly taken: boolean; readonly reason: string } | null>;
  /** Resolves when what was under way has its outcome and the connections are closed. */
  close(): Promise<void>;
}

/** Longer than any send takes, in milliseconds, whatever the provider does: a lease on a push lasts at least as long. */
export const LONGEST_SEND_MS = 50_000;
