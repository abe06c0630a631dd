// The state of the bus, as a line of /readyz.
import type { BusHealth, ReceiverHealth } from '@landfall/bus';
import type { Check } from './health.ts';

/**
 * Returns a check that is always ready. A fault of the bus affects every process at once, so taking processes out of
 * service would repair nothing.
 */
export function busCheck(bus: { health(): BusHealth }): () => Check {
  return () => {
    const { receivers, troubles } = bus.health();
    const sentences = [...troubles, ...receivers.flatMap(troubleOf)];
    return sentences.length === 0 ? { ok: true } : { ok: true, detail: sentences.join('; ') };
  };
}

function troubleOf({ name, paused, retrying, deadLetters }: ReceiverHealth): string[] {
  const states = [paused && 'paused', retrying && 'retrying', deadLetters > 0 && `${deadLetters} dead letters`];
  const shown = states.filter(Boolean);
  return shown.length === 0 ? [] : [`${name}: ${shown.join(', ')}`];
}
