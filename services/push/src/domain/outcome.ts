// The outcome of one push at its provider.

/** The only code of a provider that may mean the token or the payload. */
export const SUSPICIOUS = 'INVALID_ARGUMENT';

/**
 * The outcome of a push. - `sent`: the provider accepted the push. - `drop`: the token is of no use. `asOf`: the time
 * since when, if the provider gives it. - `suspect`: the token or the message is wrong, and the provider does not say
 * which. Its answers for other devices show which one it is. - `fail`: this message cannot be sent to this token. The
 * token is kept. - `pause`: the provider refuses the app's credentials. Nothing more is sent through it until a person
 * repairs them. - `wait`: not sent now. `all`: every push of the app through this provider waits; `device`: only this
 * push waits. - `retry`: not sent, for a reason that may pass. - `unknown`: the push may have been sent, but no answer
 * came.
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
