import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { NoAnswer } from '@landfall/bus';
import { cutText, text } from '@landfall/contracts';
import { ApiError, ownUrl, Reply, redirect, sha256 } from '@landfall/http';
import { z } from 'zod';
import { orNoAnswer } from '../common/database-away.ts';
import type { ConsoleParts } from '../parts.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { sessionOfBrowser } from '../sessions/session-of-browser.ts';
import type { NotLetIn } from './newcomer.ts';
import { CALLBACK, type FaultKind, type OidcProvider, PATH, ProviderFault, type Vouched } from './provider.ts';
import { signInByProvider } from './sign-in-by-provider.ts';
import { openTransaction, ownPath, sealTransaction, type Transaction } from './transaction.ts';

const shared = {
  needs: 'anyone',
  limit: 'sign-in',
  redirects: true,
  reply: z.instanceof(Reply),
  errors: ['NOT_FOUND'],
} as const;

/** The value of `?error=` for the page. */
type Word = FaultKind | 'busy' | (typeof words)[keyof typeof words];

const words = {
  EMAIL_NOT_VERIFIED: 'email-not-verified',
  NO_ACCOUNT: 'no-account',
  OTHER_IDENTITY: 'other-identity',
  PASSWORD_FIRST: 'password-first',
  SIGN_IN_USED: 'expired',
} as const satisfies Record<NotLetIn | 'SIGN_IN_USED', string>;

export const goToProvider = manageRoute(`GET ${PATH}`, {
  ...shared,
  summary: 'Go to the OpenID Connect provider to sign in, in a browser',
  query: z.object({ to: ownPath().default('/').describe('The path on this host to open afterwards.') }),
  async handle({ query: { to }, headers, setHeader }, parts) {
    const provider = providerOf(parts);
    try {
      const { url, ...way } = await provider.begin();
      const sealed = sealTransaction(parts.sealer, { id: randomUUID(), to, ...way }, parts.now());
      for (const name of oldest(headers, parts)) setHeader('Set-Cookie', parts.cookies.takeTransaction(name));
      setHeader('Set-Cookie', parts.cookies.giveTransaction(way.state, sealed));
      return redirect(url);
    } catch (error) {
      return backWith(faultWord(error, parts), to, parts);
    }
  },
});

export const returnFromProvider = manageRoute(`GET ${CALLBACK}`, {
  ...shared,
  summary:
    'The return address for the provider. The browser goes to the path of its choice, signed in or with `error` in the query',
  query: z.object({
    state: text(200).optional(),
    code: text(8_192).optional(),
    iss: text(2_048).optional(),
    error: text(200).optional(),
  }),
  async handle(call, parts) {
    const provider = providerOf(parts);
    const { cookies, sealer } = parts;
    const { state = '' } = call.query;
    const transaction = openTransaction(sealer, cookies.transaction(call.headers, state), parts.now());
    // An answer that this browser did not ask for must not end the sign-in that it began.
    if (transaction === null || state !== transaction.state) return backWith('expired', '/', parts);
    call.setHeader('Set-Cookie', cookies.takeTransaction(cookies.transactionName(state)));
    try {
      const vouched = await provider.finish(new URLSearchParams(call.query), transaction);
      await signIn(vouched, transaction, provider, call, parts);
      return backWith(null, transaction.to, parts);
    } catch (error) {
      return backWith(faultWord(error, parts), transaction.to, parts);
    }
  },
});

/** The maximum number of sign-ins of one browser that are under way. Each is a cookie of about half a kilobyte. */
const MOST = 5;

/** Returns the names of the cookies that make room for one more sign-in. */
const oldest = (headers: IncomingHttpHeaders, { cookies, sealer, now }: ConsoleParts): string[] =>
  cookies
    .transactions(headers)
    .map(({ name, sealed }) => ({ name, until: openTransaction(sealer, sealed, now())?.until ?? 0 }))
    .sort((a, b) => b.until - a.until)
    .filter(({ until }, at) => until === 0 || at >= MOST - 1)
    .map(({ name }) => name);

async function signIn(
  { issuer, subject, email, name }: Vouched,
  { id: visit }: Transaction,
  { settings: { domains } }: OidcProvider,
  call: ManageCall<'anyone', unknown, unknown, unknown>,
  parts: ConsoleParts,
): Promise<void> {
  const { cookies, hashes } = parts;
  const { give, ...begun } = sessionOfBrowser(call, parts);
  const device = cookies.device(call.headers);
  const [local = '', domain = ''] = email?.toLowerCase().split('@') ?? [];
  const wanted = {
    visit,
    issuer,
    subjectHash: hashes.identity(issuer, subject),
    email,
    name: name ?? cutText(local, 200),
    ofOwnDomain: domains.includes(domain),
    deviceHash: device && sha256(device.id),
    ...begun,
  };
  give(await orNoAnswer(signInByProvider(wanted, parts)));
}

function providerOf({ provider }: ConsoleParts): OidcProvider {
  if (!provider) throw new ApiError('NOT_FOUND');
  return provider;
}

const backWith = (error: Word | null, to: string, { config }: ConsoleParts): Reply =>
  redirect(ownUrl(config.PUBLIC_URL, to, error === null ? {} : { error }));

function faultWord(error: unknown, { log }: ConsoleParts): Word {
  if (error instanceof NoAnswer) return 'busy';
  if (error instanceof ApiError && isRefusal(error.code)) return words[error.code];
  if (!(error instanceof ProviderFault)) throw error;
  const { kind, message: reason, isOurs } = error;
  if (isOurs) log.error({ reason }, 'the OpenID Connect provider does not accept our settings: see OIDC_*');
  else if (kind !== 'denied') log.warn({ reason }, 'a person could not sign in through the OpenID Connect provider');
  return kind;
}

const isRefusal = (code: string): code is keyof typeof words => code in words;
