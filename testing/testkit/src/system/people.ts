// The people of a test's installation, who do everything over HTTP, as a browser does.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '@landfall/contracts';
import type { Received, Sent } from './http.ts';
import { PUBLIC_URL } from './settings.ts';
import type { System } from './system.ts';

export interface TestPerson {
  id: string;
  email: string;
  password: string;
  /** The cookies of their browser: the session, and the browser's id. */
  cookie: string;
  /** As a page of ours does. */
  send(sent: Sent & { ip?: string }): Promise<Received>;
}

/** The headers that a page of ours sends with each request. */
export const samePage = { 'x-landfall': '1', origin: PUBLIC_URL };

/** The cookies that an answer gives, as a browser sends them back. */
export const cookiesOf = ({ headers }: Received): string =>
  ((headers['set-cookie'] ?? []) as unknown as string[]).map((cookie) => cookie.split(';', 1)[0]!).join('; ');

export function peopleOf(system: System) {
  /** Somebody whom an answer has signed in. */
  function signedIn(answer: Received, password: string): TestPerson {
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const { id, email } = answer.json.person;
    const cookie = cookiesOf(answer);
    const send: TestPerson['send'] = (sent) =>
      system.send({ ...sent, headers: { ...samePage, cookie, ...sent.headers } });
    return { id, email, password, cookie, send };
  }

  const post = (path: string, body: object) =>
    system.send({ method: 'POST', path: `/api/manage/${path}`, body, headers: samePage });
  const newPassword = () => randomBytes(12).toString('base64url');
  const newEmail = () => `person-${randomUUID()}@people.example`;

  return {
    newPassword,
    newEmail,
    signedIn,

    /** The first owner of the installation, with a team of their own. Once a system. */
    async setUp(): Promise<TestPerson & { teamId: string }> {
      const password = newPassword();
      const body = { code: await system.offerSetUp(), email: newEmail(), password, name: 'First', teamName: 'First' };
      const person = signedIn(await post('set-up', body), password);
      await system.settled();
      const me = await person.send({ path: '/api/manage/me' });
      return { ...person, teamId: me.json.teams[0].id };
    },

    /** Another session of somebody. */
    async signIn({ email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<TestPerson> {
      return signedIn(await post('session', { email, password }), password);
    },

    /** Makes a team of which they are the owner, and gives its id. */
    async makeTeam(owner: TestPerson, name = 'Team'): Promise<string> {
      const made = await owner.send({ method: 'POST', path: '/api/manage/teams', body: { name } });
      if (made.status !== 200) throw new Error(`${made.status} ${made.text}`);
      await system.settled();
      return made.json.team.id;
    },

    /** Somebody whom `by` invites to a team, and who joins it. */
    async join(by: Pick<TestPerson, 'send'>, teamId: string, role: Role): Promise<TestPerson> {
      const path = `/api/manage/teams/${teamId}/invitations`;
      const invited = await by.send({ method: 'POST', path, body: { email: newEmail(), role } });
      if (invited.status !== 200) throw new Error(`${invited.status} ${invited.text}`);
      const password = newPassword();
      const { code } = invited.json;
      const person = signedIn(await post('invitations/join', { code, name: `A ${role}`, password }), password);
      await system.settled();
      return person;
    },

    /** A token of theirs. */
    async makeToken(
      person: TestPerson,
      teamId: string,
      scope: 'read' | 'write',
    ): Promise<{ id: string; token: string }> {
      const body = { teamId, scope, label: 'test' };
      const made = await person.send({ method: 'POST', path: '/api/manage/me/tokens', body });
      if (made.status !== 200) throw new Error(`${made.status} ${made.text}`);
      return { id: made.json.token.id, token: made.json.plaintext };
    },
  };
}
