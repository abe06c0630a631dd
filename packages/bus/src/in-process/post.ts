// One request and its handler: accepts requests, returns answers, and publishes the events of commits.
import type { RequestDef } from '@landfall/contracts';
import { contextOf } from '../context.ts';
import { type Answer, type EventToTell, Failed } from '../port.ts';
import { type AnyHandler, type AnyOutcome, askMsOf, handlerReceiver } from '../receiver.ts';
import type { Core } from './core.ts';
import { failWait, type Item, oneDone, toWaiting, waitFor } from './wait.ts';

type TellOfCommit = (told: EventToTell, item: Item, index: number) => void;

export type Post = ReturnType<typeof createPost>;

export function createPost(to: RequestDef, handler: AnyHandler, max: number, core: Core, tell: TellOfCommit) {
  const { log, observer } = core;
  const worker = core.open({
    ...handlerReceiver(to, handler, max, observer, log),
    ...toWaiting,
    done(item, outcome) {
      const { events = [], refusal, reply } = outcome!;
      for (let i = 0; i < events.length; i++) tell(events[i]!, item, i);
      const fault = core.trusts ? undefined : faultOf(to, outcome!);
      if (fault !== undefined) return failWait(item.wait, new Failed(`${to.name}: ${fault}`));
      item.wait.answer = refusal ? { ok: false, refusal } : { ok: true, reply };
      oneDone(item.wait);
    },
  });

  return {
    schema: to.input,
    read: core.reads(to.name, to.input),
    full: worker.full,

    /** Resolves when the handler and every listener of its events have committed. */
    send(data: object, id: string, now: number, timeoutMs = askMsOf(to)) {
      return waitFor<Answer<RequestDef>>(to.name, timeoutMs, (wait) => {
        const message = { data, context: contextOf(id, now, () => wait.over) };
        worker.push({ message, trace: observer.traceHeaders(), wait, outside: true });
      });
    },
  };
}

/** Returns why the answer does not fit its contract, once it is JSON, as over Kafka. */
function faultOf(to: RequestDef, { reply, refusal }: AnyOutcome): string | undefined {
  const schema = refusal ? to.refusals[refusal.code] : to.reply;
  if (schema === undefined) return `it has no refusal ${refusal?.code}`;
  return schema.safeParse(JSON.parse(JSON.stringify((refusal ? refusal.facts : reply) ?? null))).error?.message;
}
