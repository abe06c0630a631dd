// Passkeys of this browser. The library is loaded with the first use.
import { ApiFailure } from '../../api/index.ts';

/** False under http and in old browsers. */
export const knowsPasskeys = (): boolean => window.PublicKeyCredential !== undefined;

/** As the API gives them: WebAuthn decides what is in them. */
type Options = { challenge: string } & Record<string, unknown>;

/** @param cancelled the sentence for a person who did not go on, and for a device without such a passkey */
export async function makePasskey(options: Options, cancelled: string) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, response } = await startRegistration({ optionsJSON: options as never }).catch(because(cancelled));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

export async function askForPasskey(options: Options, cancelled: string) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { id, response } = await startAuthentication({ optionsJSON: options as never }).catch(because(cancelled));
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Browsers do not say why, so that a page learns nothing of a device. */
const because =
  (cancelled: string) =>
  (error: unknown): never => {
    throw error instanceof Error && error.name !== 'TypeError'
      ? new ApiFailure(400, 'PASSKEY_CANCELLED', cancelled)
      : error;
  };
