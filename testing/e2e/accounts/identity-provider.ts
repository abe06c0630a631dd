// A real provider of OpenID Connect on this machine. It signs in the person that a test names, without a prompt.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';

/** A person, with the claims that the provider holds. */
export interface ProviderUser {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface IdentityProvider {
  /** The environment variables for a system that uses the provider. */
  env: Record<string, string>;
  /** The person who signs in next. Null: the provider answers that the person refused. */
  user: ProviderUser | null;
  start(): Promise<void>;
  /** Closes the port of the provider, so nothing answers there. */
  stop(): Promise<void>;
}

export interface ProviderOptions {
  redirectUri: string;
  /**
   * The place where the provider gives facts about a person, besides the id. The default is `userinfo`, as in the
   * library.
   */
  claimsIn?: 'userinfo' | 'id-token';
  /** How clients authenticate. The default is the secret in the body. */
  clientAuth?: 'client_secret_post' | 'client_secret_basic';
  name?: string;
}

const CLIENT_ID = 'landfall';

/** Returns a provider that has its port from the beginning, and answers after `start`. */
export async function identityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  let server = createServer();
  const port = await listen(server, 0);
  await close(server);
  const issuer = `http://127.0.0.1:${port}`;
  const secret = randomBytes(24).toString('base64url');
  const provider = new Provider(
    issuer,
    configuration(options, secret, (sub) => users.get(sub)),
  );
  const users = new Map<string, ProviderUser>();
  const answer = provider.callback();

  const idp: IdentityProvider = {
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: secret,
      ...(options.name && { OIDC_NAME: options.name }),
    },
    user: null,
    async start() {
      server = createServer((req, res) => {
        if (!req.url?.startsWith('/who')) return answer(req, res);
        if (idp.user) users.set(idp.user.sub, idp.user);
        const login = idp.user ? { login: { accountId: idp.user.sub, remember: false } } : { error: 'access_denied' };
        provider.interactionFinished(req, res, login).catch((error: Error) => res.writeHead(500).end(error.message));
      });
      await listen(server, port);
    },
    async stop() {
      if (server.listening) await close(server);
    },
  };
  return idp;
}

function configuration(
  { redirectUri, claimsIn = 'userinfo', clientAuth = 'client_secret_post' }: ProviderOptions,
  client_secret: string,
  userOf: (sub: string) => ProviderUser | undefined,
): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    // A separate adapter class and explicit lifetimes: the library warns when they are left out.
    adapter: class extends MemoryAdapter {},
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: clientAuth,
      },
    ],
    clientAuthMethods: [clientAuth],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/who' },
    async findAccount(_: unknown, sub: string) {
      const user = userOf(sub);
      return user && { accountId: sub, claims: () => ({ ...user }) };
    },
    /** Grants a person who signs in the requested scopes. */
    async loadExistingGrant({ oidc }: { oidc: Oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

interface Oidc {
  provider: Provider;
  client: { clientId: string };
  session: { accountId: string };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
