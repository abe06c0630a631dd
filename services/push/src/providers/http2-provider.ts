// Shared parts of the providers of Firebase and Apple, besides their sessions.
import type { PushKind } from '@landfall/contracts';
import { createDoubts } from '../domain/doubts.ts';
import type { ProviderVerdict } from '../domain/outcomes.ts';
import { fits } from '../domain/render/size.ts';
import type { Checked, Push, PushProvider } from './provider.ts';

interface Parts {
  readonly kind: PushKind;
  readonly atOnce: number;
  /** Rejects only after a fault of ours. */
  ask(push: Push): Promise<ProviderVerdict>;
  check(): Promise<Checked | null>;
  /** Called once, when nothing is under way. */
  close(): Promise<void>;
}

export function createHttp2Provider({ kind, atOnce, ask, check, close }: Parts): PushProvider {
  const doubts = createDoubts();
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  function counted<T>(work: Promise<T>): Promise<T> {
    const one = work.finally(() => underWay.delete(one));
    underWay.add(one);
    return one;
  }

  return {
    atOnce,
    async send(push) {
      if (closed) return { kind: 'retry', reason: 'closing', retryAfterMs: null };
      if (!fits(kind, push)) return { kind: 'fail', reason: 'payload-too-large' };
      const began = doubts.begin();
      return doubts.decide(await counted(ask(push)), began);
    },
    check: async () => (closed ? null : counted(check())),
    close() {
      closed ??= Promise.allSettled(underWay).then(close);
      return closed;
    },
  };
}

/** Returns null when the body is not a JSON object. Such an answer comes from something in front of the server. */
export function parseJson<T extends object>(body: string): T | null {
  try {
    const data: unknown = JSON.parse(body);
    return typeof data === 'object' ? (data as T | null) : null;
  } catch {
    return null;
  }
}
