// The codes of an authenticator app (RFC 6238): six digits, another one every 30 seconds.
import { Secret, TOTP } from 'otpauth';

/** Clocks differ, and people type slowly: the codes before and after the present one are good, too. */
const WINDOW = 1;

/** Returns 160 bits in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

const of = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret) });

/** The URL that an authenticator app reads from a QR code. */
export const totpUrl = (secret: string, names: { issuer: string; label: string }): string =>
  of(secret, names).toString();

/** Returns the time step of a good code. Null: the code is wrong. The caller refuses a step that was used before. */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const totp = of(secret);
  const at = { timestamp: now.getTime() };
  const delta = totp.validate({ token: code, window: WINDOW, ...at });
  return delta === null ? null : totp.counter(at) + delta;
}
