// An authenticator of software: it makes passkeys and signs with them, as browsers and phones do.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { PUBLIC_URL } from '../system/settings.ts';

interface Options {
  origin?: string;
  rpId?: string;
  /** True when the device has checked who holds it. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

/** A passkey for the host of PUBLIC_URL. */
export function newPasskey(rpId = new URL(PUBLIC_URL).hostname, origin = PUBLIC_URL) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential = randomBytes(32);
  const id = credential.toString('base64url');

  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const dataOf = (flags: number, { rpId: of = rpId, counter = 0 }: Options, rest: Uint8Array = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(of)), Buffer.of(flags), count, rest]);
  };

  return {
    id,
    /** The answer to the options of a new passkey. */
    make(challenge: string, options: Options = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' });
      const cose = Buffer.concat([
        // kty: EC2, alg: ES256, crv: P-256
        Buffer.from('a5010203262001', 'hex'),
        Buffer.from('215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const aaguid = Buffer.alloc(16);
      const data = dataOf(
        USER_PRESENT | USER_VERIFIED | WITH_CREDENTIAL,
        options,
        Buffer.concat([aaguid, Buffer.of(0, credential.length), credential, cose]),
      );
      const attestationObject = Buffer.concat([
        // {"fmt": "none", "attStmt": {}, "authData": …}
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.of(0x58, data.length),
        data,
      ]);
      return {
        id,
        clientDataJSON: clientData('webauthn.create', challenge, options.origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      };
    },
    /** The answer to the options of a sign-in. */
    use(challenge: string, options: Options = {}) {
      const { verified = true, userHandle } = options;
      const data = dataOf(USER_PRESENT | (verified ? USER_VERIFIED : 0), options);
      const client = clientData('webauthn.get', challenge, options.origin);
      return {
        id,
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      };
    },
  };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
