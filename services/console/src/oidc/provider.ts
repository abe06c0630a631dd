// Talks to the OpenID Connect provider. No other file does.
import { cleanName, cutText, isDeceptive } from '@landfall/contracts';
import * as oidc from 'openid-client';
import { isLoopback, type OidcSettings } from './settings.ts';

/** Where a browser begins a sign-in, and where the provider sends it back. */
export const PATH = '/api/manage/sign-in/oidc';
export const CALLBACK = `${PATH}/callback` as const;

export interface Vouched {
  issuer: string;
  subject: string;
  /** Null when the provider names none or has not verified it, or when it looks like another email. */
  email: string | null;
  name: string | null;
}

/** The secrets that identify one sign-in at the provider. */
export interface Way {
  state: string;
  nonce: string;
  verifier: string;
}

export type OidcProvider = ReturnType<typeof createProvider>;

/** `denied`: the person refused. `failed`: the answer of the provider is not valid. */
export type FaultKind = 'denied' | 'provider-unavailable' | 'failed';

/** An error of the provider. Its message is for the log: it has no personal data, no code and no token. */
export class ProviderFault extends Error {
  override name = 'ProviderFault';
  readonly kind: FaultKind;
  /** True when nobody can sign in until the settings change. */
  readonly isOurs: boolean;

  constructor(kind: FaultKind, reason: string, isOurs = false) {
    super(reason);
    this.kind = kind;
    this.isOurs = isOurs;
  }
}

const TIMEOUT_SECONDS = 5;

/** @param redirectUri the URL to which the provider sends people back */
export function createProvider(settings: OidcSettings, redirectUri: string) {
  const { issuer, clientId, clientSecret } = settings;
  const execute = [oidc.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : [])];
  const options = { timeout: TIMEOUT_SECONDS, execute };
  let known: Promise<oidc.Configuration> | undefined;

  /** Loads the provider's configuration once, and again after a failure. */
  function configuration(): Promise<oidc.Configuration> {
    known ??= oidc
      .discovery(new URL(issuer), clientId, undefined, authenticateBy(clientSecret), options)
      .catch((error: unknown) => {
        known = undefined;
        throw new ProviderFault('provider-unavailable', reasonOf(error));
      });
    return known;
  }

  return {
    settings,
    /** Returns the URL for the browser. Rejects with {@link ProviderFault}. */
    async begin(): Promise<Way & { url: string }> {
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
    /** Returns the person who came back with the query `answer`. Rejects with {@link ProviderFault}. */
    async finish(answer: URLSearchParams, { state, nonce, verifier }: Way): Promise<Vouched> {
      const config = await configuration();
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        // Some providers give personal data only at the userinfo endpoint.
        const hasMore = config.serverMetadata().userinfo_endpoint !== undefined && verifiedEmail(claims) === null;
        const said = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
        return { issuer: claims.iss, subject: claims.sub, email: verifiedEmail(said), name: nameIn(said) };
      } catch (error) {
        const fault = toFault(error);
        // The provider may have changed its endpoints.
        if (fault.kind === 'provider-unavailable') known = undefined;
        throw fault;
      }
    },
  };
}

/** Sends the secret in the body when the provider supports that, else by `Basic`, the default of the standard. */
function authenticateBy(secret: string): oidc.ClientAuth {
  const post = oidc.ClientSecretPost(secret);
  const basic = oidc.ClientSecretBasic(secret);
  return (server, ...rest) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return takesPost ? post(server, ...rest) : basic(server, ...rest);
  };
}

/** Entra ID has no `email_verified`. Its `xms_edov` means that the owner of the domain has verified the email. */
function verifiedEmail(claims: Record<string, unknown>): string | null {
  const { email, email_verified, xms_edov } = claims;
  if (typeof email !== 'string' || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  // It looks like the email of somebody else.
  if (isDeceptive(email)) return null;
  return email_verified === true || (email_verified === undefined && xms_edov === true) ? email : null;
}

function nameIn({ name }: Record<string, unknown>): string | null {
  if (typeof name !== 'string') return null;
  return cutText(cleanName(name.toWellFormed()), 200) || null;
}

/** Error codes of a provider: those of a temporary failure, and those of wrong settings of ours. */
const AWAY = ['temporarily_unavailable', 'server_error'];
const OURS = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_response_type'];

function toFault(error: unknown): ProviderFault {
  const reason = reasonOf(error);
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    if (error.error === 'access_denied') return new ProviderFault('denied', reason);
    const kind = AWAY.includes(error.error) ? 'provider-unavailable' : 'failed';
    return new ProviderFault(kind, reason, OURS.includes(error.error));
  }
  return new ProviderFault(isAway(error) ? 'provider-unavailable' : 'failed', reason);
}

function isAway(error: unknown): boolean {
  // fetch throws it when nobody answers. Errors of the library have a code.
  if (error instanceof TypeError) return !('code' in error);
  if (!(error instanceof oidc.ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return true;
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** Only the library's own sentences and codes. Causes hold tokens and claims, descriptions any text of the provider. */
function reasonOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return `the provider answers ${/^[\w-]{1,100}$/.exec(error.error)?.[0] ?? 'with an error'}`;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = (error.cause ?? {}) as { code?: unknown };
  const inside = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${inside}${typeof code === 'string' && !inside.includes(code) ? ` (${code})` : ''}`;
}
