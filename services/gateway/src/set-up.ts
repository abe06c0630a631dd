// Gives an instance without an owner its first owner. The operator who starts it sees a one-time code. Nobody else sees
// it.
import type { Bus } from '@landfall/bus';
import { OfferSetUp } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { type Made, makeSecret } from './access/one-time.ts';
import { curlPost } from './routes/curl.ts';

/**
 * Returns the lines to print, outside the log. Undefined when the instance has an owner. Each start makes a new code,
 * and the codes of earlier starts become invalid. Rejects when the account service does not answer.
 */
export async function offerSetUp(bus: Bus, place: Place, code: Made = makeSecret()): Promise<string | undefined> {
  const answer = await bus.ask(OfferSetUp, { codeHash: code.hash });
  return answer.ok && answer.reply.needed ? setUpLines(place, code.plaintext) : undefined;
}

export interface Place {
  publicUrl: string;
  /** True when the instance serves the web app, which has a page for the set-up. */
  hasPages: boolean;
}

function setUpLines({ publicUrl, hasPages }: Place, code: string): string {
  const body = { code, email: 'you@example.com', password: '…', name: 'You', teamName: 'Your team' };
  // The code is in the fragment, which a browser does not send.
  const lines = hasPages
    ? [`${publicUrl}/setup#${code}`]
    : curlPost(`${publicUrl}/api/manage/set-up`, body).split('\n');
  const what = hasPages ? 'address' : 'code';
  return [
    `Create the first owner of this instance, with the latest printed ${what}:`,
    '',
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** Milliseconds between attempts while the account service is down. */
const AGAIN_MS = 2_000;

/** Offers the set-up in the background until the account service answers. Nothing waits for it, and it never fails. */
export function keepOfferingSetUp(
  bus: Bus,
  place: Place,
  log: Logger,
  say: (lines: string) => void,
): { stop(): Promise<void> } {
  const code = makeSecret();
  const stopped = Promise.withResolvers<void>();
  let stopping = false;

  async function offer(): Promise<void> {
    while (!stopping) {
      try {
        const lines = await offerSetUp(bus, place, code);
        if (lines !== undefined) say(lines);
        return;
      } catch (error) {
        log.debug({ err: error }, 'it is unknown whether this instance has an owner: the check is retried');
        await pause(AGAIN_MS, stopped.promise);
      }
    }
  }

  void offer();
  return {
    async stop() {
      stopping = true;
      stopped.resolve();
    },
  };
}

async function pause(ms: number, until: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([over, until]);
  clearTimeout(timer);
}
