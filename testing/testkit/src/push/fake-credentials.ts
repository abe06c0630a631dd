// Credentials that look like Google's and Apple's, and what the fakes know of them.
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The file that Google's console hands out. */
export interface ServiceAccountFile {
  type: 'service_account';
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  token_uri: string;
}

/** The credentials that Apple's site hands out: a .p8 file, and three names. */
export interface AppleKeyFile {
  key: string;
  keyId: string;
  teamId: string;
  bundleId: string;
}

/** @param publicKey what the server has to check signatures with */
export interface Known<File> {
  file: File;
  publicKey: KeyObject;
}

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

export function makeServiceAccount(projectId = 'landfall-demo'): Known<ServiceAccountFile> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = randomBytes(4).toString('hex');
  return {
    file: {
      type: 'service_account',
      project_id: projectId,
      private_key_id: id,
      private_key: pem(privateKey),
      client_email: `push-${id}@${projectId}.iam.gserviceaccount.com`,
      token_uri: 'https://oauth2.googleapis.com/token',
    },
    publicKey,
  };
}

export function makeAppleKey(bundleId = 'com.example.shop'): Known<AppleKeyFile> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const tenCharacters = () => randomBytes(5).toString('hex').toUpperCase();
  return { file: { key: pem(privateKey), keyId: tenCharacters(), teamId: tenCharacters(), bundleId }, publicKey };
}
