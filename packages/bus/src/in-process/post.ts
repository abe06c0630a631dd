// One request and its handler: accepts requests, returns answers, and publishes the events of commits.
import type { RequestDef } from '@landfall/contracts';
import { contextOf } from '../context.ts';
import { type Answer, type EventToTell, Failed } from '../port.ts';
import { type AnyHandler, type AnyMessage, type AnyOutcome, type Delivered, fits } from '../receiver.ts';
import type { Core } from './core.ts';
import { type Item, toWaiting } from './item.ts';
import { failWait, oneDone, type Wait, waitFor } from './wait.ts';

const COMMAND_MS = 5_000;
const QUERY_MS = 2_000;

export interface Post {
  full(): boolean;
  /** Resolves when the handler and every listener of its events have committed. */
  send(data: object, id: string, now: number, timeoutMs: number | undefined): Promise<Answer<RequestDef>>;
}

/** Publishes one event of a commit: number `index` in the outcome of the message. */
export type TellOfCommit = (told: EventToTell, item: Item, index: number) => void;

export function createPost(to: RequestDef, handler: AnyHandler, max: number, core: Core, tell: TellOfCommit): Post {
  const worker = core.open(
    {
      name: to.name,
      group: to.topic,
      message: to.name,
      kind: to.kind,
      atOnce: handler.atOnce ?? false,
      key: ({ data, context }) => to.key(data, context.id),
      ...toWaiting,
      done,
    },
    call,
    Math.min(max, handler.max ?? max),
  );

  async function call(messages: readonly AnyMessage[]) {
    const outcomes = await handler(messages);
    if (fits(outcomes, messages)) return outcomes;
    core.log.error(
      { message: to.name, got: (outcomes as unknown[] | undefined)?.length, of: messages.length },
      'a handler returned the wrong number of results: the whole batch fails, without a retry',
    );
    return undefined;
  }

  function done(item: Item, index: number, { outcomes, repeats, faults }: Delivered) {
    const outcome = outcomes[index]!;
    tellAll(item, outcome.events);
    if (repeats !== undefined) tellAll(item, repeats[index]!.events);
    const fault = faults?.[index] ?? (core.redelivery === 'none' ? undefined : misfit(outcome, item));
    if (fault !== undefined) return failWait(item.wait, new Failed(fault));
    const { refusal, reply } = outcome;
    // A command that is answered after its deadline is not recorded. In a replay, its caller would be waiting again.
    const isReplayed = !refusal && to.kind === 'command' && !item.wait.over;
    item.wait.answer = refusal ? { ok: false, refusal } : { ok: true, reply };
    if (isReplayed) record(item.message);
    oneDone(item.wait);
  }

  function tellAll(item: Item, events: readonly EventToTell[] | undefined) {
    if (events !== undefined) for (let i = 0; i < events.length; i++) tell(events[i]!, item, i);
  }

  function record({ data, context }: AnyMessage) {
    const { id, now } = context;
    core.recording?.add(`${to.name} ${id}`, () => send(data, id, now.getTime(), undefined));
  }

  /** In tests only: returns a fault when the answer would not survive the way over Kafka. */
  function misfit(outcome: AnyOutcome, item: Item): string | undefined {
    const { refusal, reply } = outcome;
    const schema = refusal ? to.refusals[refusal.code] : to.reply;
    const result = schema?.safeParse(refusal ? refusal.facts : reply);
    if (result?.success) return undefined;
    const sentence = `${to.name} ${item.message.context.id}: ${result?.error.message ?? 'an undeclared refusal'}`;
    core.violations.push(sentence);
    return sentence;
  }

  function send(data: object, id: string, now: number, timeoutMs = to.kind === 'query' ? QUERY_MS : COMMAND_MS) {
    return waitFor<Answer<RequestDef>>(to.name, 1, timeoutMs, (wait: Wait) => {
      const message = { data, context: contextOf(id, now, () => wait.over) };
      worker.push({ message, trace: core.observer.traceHeaders(), wait, outside: true });
    });
  }

  return { full: worker.full, send };
}
