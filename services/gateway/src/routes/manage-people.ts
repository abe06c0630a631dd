// Routes of the people of the installation, for its operator. After a reset a person chooses a new password here.
import { ChoosePassword, ListPeople, passwordText, ResetPassword } from '@landfall/contracts';
import { z } from 'zod';
import { makeSecret } from '../access/one-time.ts';
import { sha256 } from '../hashes.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { beginSession, signedInReply } from './begin-session.ts';
import { curlPost } from './curl.ts';
import { code, emailText, next, pageQuery, personView, viewPerson } from './manage-fields.ts';

const PASSWORD = '/api/manage/password';

export const listPeople = manageRoute({
  method: 'GET',
  path: '/api/manage/people',
  name: 'listPeople',
  summary: 'List all people of the installation',
  needs: 'instance-owner',
  query: pageQuery,
  reply: z.object({ people: z.array(personView), next: next() }),
  errors: [],
  async handle({ query: { limit, cursor = null } }, { bus, sealer }) {
    const page = orRefuse(await bus.ask(ListPeople, { limit, cursor }));
    return { people: page.people.map((person) => viewPerson(person, sealer)), next: page.next };
  },
});

export const resetPassword = manageRoute({
  method: 'POST',
  path: '/api/manage/people/reset-password',
  name: 'resetPassword',
  summary: 'Reset the password of a person and end their sessions; the code for a new password is shown only once',
  needs: 'operator',
  body: z.object({ email: emailText() }),
  reply: z.object({
    person: personView,
    code: code().describe('Can be used once, by this person only.'),
    url: z.url().describe('The page of the web app that uses the code. Send it to the person.'),
    curl: z.string().describe('The command that uses the code.'),
    expiresAt: z.iso.datetime(),
  }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ actor, body: { email } }, { bus, sealer, config }) {
    const { plaintext, hash: codeHash } = makeSecret();
    const answer = await bus.ask(ResetPassword, { actor: actor(), email: sealer.seal('email', email), codeHash });
    const { person, expiresAt } = orRefuse(answer);
    const url = `${config.PUBLIC_URL}/reset#${plaintext}`;
    const curl = curlPost(`${config.PUBLIC_URL}${PASSWORD}`, { code: plaintext, password: '…' });
    return { person: viewPerson(person, sealer), code: plaintext, url, curl, expiresAt };
  },
});

export const choosePassword = manageRoute({
  method: 'POST',
  path: PASSWORD,
  name: 'choosePassword',
  summary: 'Choose a password with the code of a reset, and sign in',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ code: code(), password: passwordText().meta({ format: 'password' }) }),
  reply: z.object(signedInReply),
  errors: ['SIGN_IN_BUSY', 'CODE_UNKNOWN', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts: Uses<'bus' | 'hashes' | 'sealer' | 'cookies' | 'signIns' | 'now'>) {
    const { code, password } = call.body;
    const { give, ...begun } = beginSession(call, parts);
    const next = parts.sealer.seal('password', password);
    const command = { codeHash: sha256(code), next, ...begun };
    return give(orRefuse(await parts.signIns.run(null, call, () => parts.bus.ask(ChoosePassword, command))));
  },
});
