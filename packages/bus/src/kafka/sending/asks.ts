// The requests of this instance that wait for their answers.
import type { RequestDef } from '@landfall/contracts';
import type { KafkaMessage } from 'kafkajs';
import { createTally } from '../../lifetime.ts';
import { type Answer, Busy, Failed, NoAnswer } from '../../port.ts';
import { jsonOf, readAnswer } from '../wire.ts';
import type { Transmission } from './sender.ts';

interface Pending {
  to: RequestDef;
  resolve(answer: Answer<RequestDef>): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

export type Asks = ReturnType<typeof createAsks>;

/** The maximum number of requests in flight to one service. Further requests are refused. */
const MAX_PER_SERVICE = 200;

export function createAsks() {
  /** By correlation. */
  const waiting = new Map<string, Pending>();
  const inFlight = new Map<string, number>();
  const { count, idle } = createTally();

  /** Calls `send` at once and waits for the answer. */
  function wait(to: RequestDef, service: string, correlation: string, timeoutMs: number, send: () => Transmission) {
    return new Promise<Answer<RequestDef>>((accept, refuse) => {
      inFlight.set(service, (inFlight.get(service) ?? 0) + 1);
      count(1);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(correlation);
        inFlight.set(service, inFlight.get(service)! - 1);
        count(-1);
      };
      const resolve = (answer: Answer<RequestDef>) => {
        end();
        accept(answer);
      };
      const reject = (error: Error) => {
        end();
        refuse(error);
      };
      const timer = setTimeout(() => {
        if (sending.withdraw()) reject(new Busy(`${to.name}: it could not be sent within ${timeoutMs} ms`));
        else reject(new NoAnswer(`${to.name}: nothing came back within ${timeoutMs} ms`));
        // The timeout must not fire before the deadline in the message. A timer may be a millisecond early.
      }, timeoutMs + 2);
      waiting.set(correlation, { to, resolve, reject, timer });
      const sending = send();
      // The caller waits until the deadline, even when sending fails.
      sending.acknowledged.catch(() => {});
    });
  }

  /** Handles an answer. Drops an answer that no caller waits for. */
  function answered(message: KafkaMessage): void {
    const { correlation, kind } = readAnswer(message.headers);
    const pending = correlation === undefined ? undefined : waiting.get(correlation);
    if (pending === undefined) return;
    const { to, resolve, reject } = pending;
    if (kind === 'failed' || kind === 'invalid') {
      reject(new Failed(`${to.name}: ${kind}`));
      return;
    }
    const body = jsonOf(message) as { reply?: object; code?: string; facts?: object } | undefined;
    if (kind === 'reply') {
      const reply = to.reply.safeParse(body);
      if (reply.success) resolve({ ok: true, reply: reply.data });
      else reject(unreadable(to));
      return;
    }
    const facts = to.refusals[body?.code ?? '']?.safeParse(body?.facts);
    if (facts?.success) resolve({ ok: false, refusal: { code: body!.code!, facts: facts.data } as never });
    else reject(unreadable(to));
  }

  return {
    get pending() {
      return waiting.size;
    },
    full: (service: string) => (inFlight.get(service) ?? 0) >= MAX_PER_SERVICE,
    wait,
    answered,
    idle,
  };
}

const unreadable = (to: RequestDef) => new Failed(`${to.name}: its answer does not fit the contract`);
