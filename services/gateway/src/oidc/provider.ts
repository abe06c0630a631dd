// The provider of OpenID Connect: the only file that speaks to it.
import { isDeceptive } from '@landfall/contracts';
import * as oidc from 'openid-client';
import { isLoopback, type OidcSettings } from './settings.ts';

/** Somebody, as the provider says. */
export interface Vouched {
  issuer: string;
  subject: string;
  /** Null: it names none, has not verified it, or it could be taken for another. */
  email: string | null;
  name: string | null;
}

/** The values that belong to one sign-in at the provider. */
export interface Way {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Provider {
  readonly settings: OidcSettings;
  /** Returns the URL to which the browser is sent. Rejects with {@link ProviderFault}. */
  begin(): Promise<Way & { url: string }>;
  /**
   * Returns the person who came back. Rejects with {@link ProviderFault}.
   * @param answer the query that the browser came back with
   */
  finish(answer: URLSearchParams, way: Way): Promise<Vouched>;
}

/** `denied`: the person did not want to. `failed`: what came back is not to be believed. */
export type FaultKind = 'denied' | 'provider-unavailable' | 'failed';

/** The message is for the log: it has nothing of what was said about a person, nor a code or a token. */
export class ProviderFault extends Error {
  override name = 'ProviderFault';
  readonly kind: FaultKind;
  /** Nobody gets in before somebody has changed the settings. */
  readonly isOurs: boolean;

  constructor(kind: FaultKind, reason: string, isOurs = false) {
    super(reason);
    this.kind = kind;
    this.isOurs = isOurs;
  }
}

/** For each request to the provider. */
const TIMEOUT_SECONDS = 5;

/** @param redirectUri where the provider sends people back to */
export function createProvider(settings: OidcSettings, redirectUri: string): Provider {
  const { issuer, clientId, clientSecret } = settings;
  const execute = [oidc.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : [])];
  let known: Promise<oidc.Configuration> | undefined;

  /** Asked for once, and again after a failure. */
  function configuration(): Promise<oidc.Configuration> {
    known ??= oidc
      .discovery(new URL(issuer), clientId, undefined, authenticateBy(clientSecret), {
        timeout: TIMEOUT_SECONDS,
        execute,
      })
      .catch((error: unknown) => {
        known = undefined;
        throw new ProviderFault('provider-unavailable', reasonOf(error));
      });
    return known;
  }

  /** Values that may have changed are looked up again. */
  function faultOf(error: unknown): ProviderFault {
    const fault = toFault(error);
    if (fault.kind === 'provider-unavailable') known = undefined;
    return fault;
  }

  return {
    settings,
    async begin() {
      const config = await configuration();
      const way = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: way.state,
        nonce: way.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(way.verifier),
        code_challenge_method: 'S256',
      });
      return { ...way, url: url.href };
    },
    async finish(answer, { state, nonce, verifier }) {
      const config = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        // Some providers say only there what they know of a person.
        const hasMore = config.serverMetadata().userinfo_endpoint !== undefined && verifiedEmail(claims) === null;
        const said = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
        return { issuer: claims.iss, subject: claims.sub, email: verifiedEmail(said), name: nameIn(said) };
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

/** In the body, where the provider takes it there; by `Basic` otherwise, which is what one that says nothing takes. */
function authenticateBy(secret: string): oidc.ClientAuth {
  const post = oidc.ClientSecretPost(secret);
  const basic = oidc.ClientSecretBasic(secret);
  return (server, ...rest) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return takesPost ? post(server, ...rest) : basic(server, ...rest);
  };
}

/** `xms_edov` is how Entra ID says that whoever has the domain of the email has verified it; it has no `email_verified`. */
function verifiedEmail(claims: Record<string, unknown>): string | null {
  const { email, email_verified, xms_edov } = claims;
  if (typeof email !== 'string' || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  // It could be taken for the email of somebody else.
  if (isDeceptive(email)) return null;
  return email_verified === true || (email_verified === undefined && xms_edov === true) ? email : null;
}

function nameIn({ name }: Record<string, unknown>): string | null {
  if (typeof name !== 'string') return null;
  const clean = name.toWellFormed().replaceAll('\0', '').trim();
  // By characters, so that none is cut in two.
  return [...clean].slice(0, 100).join('') || null;
}

/** Codes with which a provider says that it cannot at the moment, and those that say that our settings are wrong. */
const AWAY = ['temporarily_unavailable', 'server_error'];
const OURS = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_response_type'];

function toFault(error: unknown): ProviderFault {
  const reason = reasonOf(error);
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    if (error.error === 'access_denied') return new ProviderFault('denied', reason);
    return new ProviderFault(
      AWAY.includes(error.error) ? 'provider-unavailable' : 'failed',
      reason,
      OURS.includes(error.error),
    );
  }
  return new ProviderFault(isAway(error) ? 'provider-unavailable' : 'failed', reason);
}

function isAway(error: unknown): boolean {
  // The error of fetch when nobody answers; the library's own errors have a code.
  if (error instanceof TypeError) return !('code' in error);
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** The library's own sentences and codes: causes hold tokens and claims, descriptions whatever the provider writes. */
function reasonOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return `the provider answers ${/^[\w-]{1,100}$/.exec(error.error)?.[0] ?? 'with an error'}`;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = (error.cause ?? {}) as { code?: unknown };
  const inside = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inside}${typeof code === 'string' && !inside.includes(code) ? ` (${code})` : ''}`;
}
