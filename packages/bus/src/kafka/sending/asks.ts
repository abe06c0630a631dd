// The requests of this instance that wait for their answers.
import type { RequestDef } from '@landfall/contracts';
import type { KafkaMessage } from 'kafkajs';
import { type Answer, Busy, Failed, NoAnswer } from '../../port.ts';
import { jsonOf, readAnswer } from '../wire.ts';
import type { Transmission } from './sender.ts';

interface Pending {
  to: RequestDef;
  resolve(answer: Answer<RequestDef>): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

export interface Asks {
  readonly pending: number;
  /** Returns true when the maximum number of requests to this service is in flight. */
  full(service: string): boolean;
  /** Calls `send` at once and waits for the answer. */
  wait(
    to: RequestDef,
    service: string,
    correlation: string,
    timeoutMs: number,
    send: () => Transmission,
  ): Promise<Answer<RequestDef>>;
  /** Handles an answer. Drops an answer that no caller waits for. */
  answered(message: KafkaMessage): void;
  idle(): Promise<void>;
}

export function createAsks(maxPerService: number): Asks {
  const waiting = new Map<string, Pending>();
  const inFlight = new Map<string, number>();
  let idlers: (() => void)[] = [];

  function wait(to: RequestDef, service: string, correlation: string, timeoutMs: number, send: () => Transmission) {
    return new Promise<Answer<RequestDef>>((accept, refuse) => {
      inFlight.set(service, (inFlight.get(service) ?? 0) + 1);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(correlation);
        inFlight.set(service, inFlight.get(service)! - 1);
        if (waiting.size > 0) return;
        for (const idler of idlers) idler();
        idlers = [];
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
    full: (service) => (inFlight.get(service) ?? 0) >= maxPerService,
    wait,
    answered,
    idle: () => (waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}

const unreadable = (to: RequestDef) => new Failed(`${to.name}: its answer does not fit the contract`);
