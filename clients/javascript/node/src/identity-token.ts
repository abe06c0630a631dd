const LONGEST_SECONDS = 86_400;

/**
 * Signs who your user is. Your app sends the token as `identityToken`, and Landfall believes it: the guide on users of an
 * app says how.
 * @param secret an identity secret of the app, as the management API has shown it
 * @param email the email of the user, or any other id that your app uses as `userEmail`
 * @param options `expiresInSeconds`: how long the token is good, at most 86,400. Default: 3,600
 * @returns a JWT (HS256)
 * @throws TypeError for a missing secret or email, RangeError for a time that Landfall refuses
 */
export async function identityToken(
  secret: string | undefined,
  email: string,
  { expiresInSeconds = 3_600 }: { expiresInSeconds?: number } = {},
): Promise<string> {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('The identity secret is missing. Is the variable of the environment set?');
  if (typeof email !== 'string' || email.trim() === '') throw new TypeError('The email of the user is missing.');
  if (!(expiresInSeconds > 0 && expiresInSeconds <= LONGEST_SECONDS))
    throw new RangeError('`expiresInSeconds` must be above 0 and at most 86,400.');
  const exp = Math.floor(Date.now() / 1_000 + expiresInSeconds);
  const said = `${encoded(json({ alg: 'HS256', typ: 'JWT' }))}.${encoded(json({ sub: email, exp }))}`;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8(secret), hmac, false, ['sign']);
  return `${said}.${encoded(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(said))))}`;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const json = (value: object) => utf8(JSON.stringify(value));

/** Base64url without padding. Edge runtimes have no `Buffer`. */
const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
