// Routes that create the first owner of an instance, with the code that the instance printed.
import { randomUUID } from 'node:crypto';
import { passwordText } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import { appChanged } from '../apps/changed-app.ts';
import type { ConsoleParts } from '../parts.ts';
import { hashNew } from '../passwords/new-password.ts';
import { code, newEmail, personName, teamName } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { passkeysPossible } from '../second-factor/passkeys.ts';
import {
  beginSession,
  type NewSession,
  personsChanged,
  sessionOfBrowser,
  signedInReply,
} from '../sessions/session-of-browser.ts';
import { makeFirstOwner, setUpSaid } from './first-owner.ts';

export const getSetUp = manageRoute('GET /api/manage/set-up', {
  summary: 'Get the facts for a page before sign-in: whether the instance needs an owner, and how people sign in',
  needs: 'anyone',
  reply: z.object({
    needed: z.boolean().describe('True when the instance has no owner yet.'),
    publicUrl: z.string().describe('The public URL of the instance. A page under another URL has no session.'),
    linkDomain: z.string().describe('The domain of the link hosts, with its port.'),
    mail: z.boolean().describe('True when the installation sends email.'),
    passkeys: z.boolean().describe('True when browsers know passkeys under this public URL.'),
    oidc: z.object({ name: z.string() }).nullable().describe('The OpenID Connect provider. Null: there is none.'),
  }),
  async handle(_, { account, provider, config, mailer }) {
    const needed = !(await account.setUp.hasOwner());
    const { PUBLIC_URL: publicUrl, LINK_DOMAIN: linkDomain } = config;
    const oidc = provider && { name: provider.settings.name };
    return { needed, publicUrl, linkDomain, mail: mailer !== null, passkeys: passkeysPossible(publicUrl), oidc };
  },
});

const body = z.object({
  code: code(),
  email: newEmail(),
  password: passwordText(),
  name: personName(),
  teamName: teamName(),
});

export const setUp = manageRoute('POST /api/manage/set-up', {
  summary: 'Create the first owner with the code that the instance printed; they are signed in',
  needs: 'anyone',
  limit: 'sign-in',
  body,
  reply: z.object(signedInReply),
  errors: ['SIGN_IN_BUSY', 'SET_UP_DONE', 'CODE_UNKNOWN', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts) {
    const { give, ...begun } = sessionOfBrowser(call, parts);
    return give(await parts.signIns.run(null, call, () => makeOwner(call.body, begun, parts)));
  },
});

async function makeOwner(
  { code, email, password, name, teamName }: z.output<typeof body>,
  browser: NewSession,
  parts: ConsoleParts,
) {
  const { account } = parts;
  if (await account.setUp.hasOwner()) throw new ApiError('SET_UP_DONE');
  if (!(await account.setUp.isOffered(sha256(code)))) throw new ApiError('CODE_UNKNOWN');
  const passwordHash = await hashNew(password, parts.passwords);
  const userId = randomUUID();
  const actor = { kind: 'person', userId, tokenId: null, address: browser.address } as const;
  return parts.change({ command: 'SetUp', actor, now: parts.now() }, async (at) => {
    const first = await makeFirstOwner(at, { userId, email, name, passwordHash, teamName });
    if (!first) throw new ApiError('SET_UP_DONE');
    const { person, team, adopted } = first;
    const { session, left } = await beginSession(at, browser, userId);
    const events = personsChanged(userId, left);
    for (const app of adopted) events.push(await appChanged(at, app));
    const after = setUpSaid(email, team, adopted);
    return { subject: userId, teamId: team.id, after, done: { session, person }, events };
  });
}
