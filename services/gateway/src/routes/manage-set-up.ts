// Routes that create the first owner of an instance, with the code that the instance printed.
import { FindSetUp, passwordText, SetUp } from '@landfall/contracts';
import { z } from 'zod';
import { sha256 } from '../hashes.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { beginSession, signedInReply } from './begin-session.ts';
import { code, newEmail, personName, teamName } from './manage-fields.ts';

const shared = { needs: 'anyone', path: '/api/manage/set-up' } as const;

export const getSetUp = manageRoute({
  ...shared,
  method: 'GET',
  name: 'getSetUp',
  summary: 'Get the facts for a page before sign-in: whether the instance needs an owner, and how people sign in',
  reply: z.object({
    needed: z.boolean().describe('True when the instance has no owner yet.'),
    publicUrl: z.string().describe('The public URL of the instance. A page under another URL has no session.'),
    linkDomain: z.string().describe('The domain of the link hosts, with its port.'),
    oidc: z.object({ name: z.string() }).nullable().describe('The OpenID Connect provider. Null: there is none.'),
  }),
  errors: [],
  async handle(_, { bus, provider, config }) {
    const { needed } = orRefuse(await bus.ask(FindSetUp, {}));
    const { PUBLIC_URL: publicUrl, LINK_DOMAIN: linkDomain } = config;
    return { needed, publicUrl, linkDomain, oidc: provider && { name: provider.settings.name } };
  },
});

export const setUp = manageRoute({
  ...shared,
  method: 'POST',
  name: 'setUp',
  summary: 'Create the first owner with the code that the instance printed, and sign them in',
  limit: 'sign-in',
  body: z.object({
    code: code(),
    email: newEmail(),
    password: passwordText().meta({ format: 'password' }),
    name: personName(),
    teamName: teamName(),
  }),
  reply: z.object(signedInReply),
  errors: ['SIGN_IN_BUSY', 'SET_UP_DONE', 'CODE_UNKNOWN', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts: Uses<'bus' | 'hashes' | 'sealer' | 'cookies' | 'signIns' | 'now'>) {
    const { code, email, password, name, teamName } = call.body;
    const { give, ...begun } = beginSession(call, parts);
    const command = {
      codeHash: sha256(code),
      email: parts.sealer.seal('email', email),
      password: parts.sealer.seal('password', password),
      name,
      teamName,
      ...begun,
    };
    return give(orRefuse(await parts.signIns.run(null, call, () => parts.bus.ask(SetUp, command))));
  },
});
