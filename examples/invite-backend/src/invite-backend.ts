// A backend that invites by email. The link leads into the app, also through the store and the first start.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Landfall, LandfallError } from '@landfall/node';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Serves `POST /invitations` with `{ "id", "from", "to" }`. `id` names the invitation: the same id invites once. */
export function inviteBackend(landfall: Landfall, sendMail: (mail: Mail) => Promise<void>): Server {
  const sent = new Map<string, string>();

  async function invite({ id, from, to }: Record<string, unknown>): Promise<string> {
    if (typeof id !== 'string' || typeof from !== 'string' || typeof to !== 'string' || !/^\S+@\S+$/.test(to))
      throw new Refused('Send id, from and to.');
    const before = sent.get(id);
    if (before !== undefined) return before;
    const { url } = await landfall.links.create(
      { destination: `/invite?code=${encodeURIComponent(id)}`, metadata: { inviter: from, campaign: 'invitation' } },
      // Whatever happens between here and the end of this function: the same invitation has one link.
      { idempotencyKey: `invitation-${encodeURIComponent(id)}` },
    );
    await sendMail({ to, subject: `${from} invites you`, text: `${from} shares a list with you: ${url}` });
    sent.set(id, url);
    return url;
  }

  return createServer(async (req, res) => {
    const answer = (status: number, body: object, headers = {}) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (req.method !== 'POST' || req.url !== '/invitations') return answer(404, { error: 'There is nothing here.' });
    try {
      return answer(200, { url: await invite(await bodyOf(req)) });
    } catch (error) {
      if (error instanceof Refused) return answer(400, { error: error.message });
      // For the log: the code says what to do, and the id finds the request in the log of Landfall.
      if (error instanceof LandfallError) console.error(`${error.code}: ${error.message}`, error.requestId ?? '');
      else console.error(error);
      const seconds = error instanceof LandfallError ? (error.retryAfterSeconds ?? 5) : 5;
      return answer(503, { error: 'Try again in a moment.' }, { 'retry-after': seconds });
    }
  });
}

class Refused extends Error {}

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 10_000) throw new Refused('Too long.');
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Refused('Send JSON.');
  }
}
