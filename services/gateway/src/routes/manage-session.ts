// Routes of sign-in and sign-out.
import { EndSessions, SignIn } from '@landfall/contracts';
import { z } from 'zod';
import { sha256 } from '../hashes.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { beginSession, knownBrowser, signedInReply } from './begin-session.ts';
import { emailText, knownPassword } from './manage-fields.ts';

const shared = { path: '/api/manage/session' } as const;

export const signIn = manageRoute({
  ...shared,
  method: 'POST',
  name: 'signIn',
  summary: 'Sign in; the session is in a cookie',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ email: emailText(), password: knownPassword() }),
  reply: z.object(signedInReply),
  errors: ['WRONG_CREDENTIALS', 'SIGN_IN_DELAYED', 'SIGN_IN_BUSY'],
  async handle(call, parts: Uses<'bus' | 'hashes' | 'sealer' | 'cookies' | 'signIns' | 'now'>) {
    const { email, password } = call.body;
    const { give, ...begun } = beginSession(call, parts);
    const device = parts.cookies.device(call.headers);
    const command = {
      email: parts.sealer.seal('email', email),
      emailHash: parts.hashes.email(email),
      password: parts.sealer.seal('password', password),
      deviceHash: device && sha256(device.id),
      ...begun,
    };
    const known = knownBrowser(call.headers, email, parts);
    return give(orRefuse(await parts.signIns.run(known, call, () => parts.bus.ask(SignIn, command))));
  },
});

export const signOut = manageRoute({
  ...shared,
  method: 'DELETE',
  name: 'signOut',
  summary: 'Sign out; this session ends',
  needs: 'person',
  reply: z.object({}),
  errors: [],
  async handle({ caller: { userId, sessionId }, actor, setHeader }, { bus, cookies, lookups }) {
    // A session that has already ended is no error.
    await bus.ask(EndSessions, { actor: actor(), userId, sessionId, except: null });
    lookups.forgetPerson(userId);
    setHeader('Set-Cookie', cookies.takeSession());
    return {};
  },
});
