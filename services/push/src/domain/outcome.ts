// The outcome of one push at its provider.

/** The one word of a provider's that may mean the token or the payload. */
export const SUSPICIOUS = 'INVALID_ARGUMENT';

/**
 * The outcome of a push.
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
export type PushOutcome =
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
