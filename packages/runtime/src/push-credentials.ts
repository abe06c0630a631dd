// The credentials of an app's pushes. The gateway checks their form before it seals them. The push service reads them.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PushCredentialFacts, PushKind } from '@landfall/contracts';
import { z } from 'zod';

export type FcmCredentials = ReturnType<typeof parseServiceAccount>;
export type ApnsCredentials = ReturnType<typeof parseAppleKey>;
export type PushCredentials = FcmCredentials | ApnsCredentials;

/** The message is a sentence that names the wrong field, and contains nothing of its value. */
export class PushCredentialsError extends Error {
  override name = 'PushCredentialsError';
  /** The wrong field of the input, e.g. `private_key`; null when the input as a whole is wrong. */
  readonly field: string | null;
  /** The message without its subject and its full stop. */
  readonly fault: string;

  constructor(field: string | null, fault: string) {
    super(`${field ?? 'The credentials'} ${fault}.`);
    this.field = field;
    this.fault = fault;
  }
}

/**
 * @param input for Firebase, the service account's JSON, as text or as an object; for Apple, `{ key, keyId, teamId,
 * bundleId }`, where `key` is the content of the .p8 file
 * @returns the credentials, and their facts that may be shown. Throws {@link PushCredentialsError}
 */
export function parsePushCredentials(
  kind: PushKind,
  input: unknown,
): { credentials: PushCredentials; facts: PushCredentialFacts } {
  const credentials = kind === 'fcm' ? parseServiceAccount(input) : parseAppleKey(input);
  return { credentials, facts: factsOf(credentials) };
}

export const writePushCredentials = (credentials: PushCredentials): string => JSON.stringify(credentials);

export const readPushCredentials = (text: string): PushCredentials => JSON.parse(text);

function factsOf(credentials: PushCredentials): PushCredentialFacts {
  const none = { projectId: null, clientEmail: null, keyId: null, teamId: null, bundleId: null };
  if (credentials.kind === 'fcm') {
    const { projectId, clientEmail } = credentials;
    return { ...none, projectId, clientEmail };
  }
  const { keyId, teamId, bundleId } = credentials;
  return { ...none, keyId, teamId, bundleId };
}

const PEM_LENGTH = 4_500;

/** The other fields of Google's file are not read: they name addresses to which we would have to send requests. */
const ServiceAccount = z.object({
  type: z.literal('service_account', 'must be "service_account": take the key of a service account, as a JSON file'),
  project_id: z.string('is missing').regex(/^[a-z0-9][a-z0-9.:-]{2,99}$/, "must be a project's id"),
  client_email: z
    .string('is missing')
    .max(320)
    .regex(/^[^@\s]+@[^@\s]+$/, "must be the service account's address"),
  private_key: z.string('is missing').max(PEM_LENGTH, 'is too long'),
});

const tenCharacters = (what: string) =>
  z.string('is missing').regex(/^[A-Z0-9]{10}$/, `must be ${what}: ten capital letters and digits`);

const AppleKey = z.object({
  key: z.string('is missing').max(PEM_LENGTH, 'is too long'),
  keyId: tenCharacters("the key's id"),
  teamId: tenCharacters("the team's id"),
  bundleId: z
    .string('is missing')
    .regex(/^[A-Za-z0-9.-]{1,255}$/, "must be the app's bundle id, e.g. com.example.shop"),
});

function parseServiceAccount(input: unknown) {
  const account = parse(ServiceAccount, typeof input === 'string' ? fromJson(input) : input);
  const key = readKey('private_key', account.private_key);
  if (key.asymmetricKeyType !== 'rsa') throw new PushCredentialsError('private_key', 'must be an RSA key');
  return {
    kind: 'fcm' as const,
    projectId: account.project_id,
    clientEmail: account.client_email,
    /** An RSA key, as PEM. */
    privateKey: pemOf(key),
  };
}

/** `key`: EC P-256, as PEM. */
function parseAppleKey(input: unknown) {
  const { key: pem, keyId, teamId, bundleId } = parse(AppleKey, input);
  const key = readKey('key', pem);
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new PushCredentialsError('key', "must be an elliptic curve key (P-256), as in Apple's .p8 files");
  }
  return { kind: 'apns' as const, key: pemOf(key), keyId, teamId, bundleId };
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const field = path.length > 0 ? path.join('.') : null;
  throw new PushCredentialsError(field, field ? message : 'must be a JSON object');
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PushCredentialsError(null, 'must be a JSON object');
  }
}

function readKey(field: string, pem: string): KeyObject {
  try {
    // A key that was copied out of a JSON file or a variable has the line ends as two characters.
    return createPrivateKey({ key: pem.replace(/(?:\\r)?\\n|\\r/g, '\n').trim(), format: 'pem' });
  } catch {
    throw new PushCredentialsError(field, 'must be a private key as PEM, without a passphrase');
  }
}

/** Returns the key in one form, whatever form the input had. */
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
