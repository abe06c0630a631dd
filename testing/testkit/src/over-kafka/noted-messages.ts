// A process writes notes to files about its messages, one byte for each message. It notes the changes that it received
// for its caches, because watched events have no offsets at the broker. It also notes the events that it publishes
// without waiting.
import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KafkaBus } from '@landfall/bus';

/**
 * Returns the same bus, which also notes in `folder` the messages that its watchers have seen and the events that it
 * publishes.
 */
export function noteMessages(bus: KafkaBus, folder: string, instance: string): KafkaBus {
  const note = (name: string, what: string) => appendFileSync(path.join(folder, `${instance}.${name}`), what);
  note('begun', '');
  note('ended', '');
  return {
    ...bus,
    tell(...told) {
      note('begun', '.');
      return bus.tell(...told).finally(() => note('ended', '.'));
    },
    watch(event, watcher, { onGap }) {
      const file = path.join(folder, `${instance}.seen.${event.topic}`);
      writeFileSync(file, '');
      bus.watch(
        event,
        (data) => {
          watcher(data);
          appendFileSync(file, '.');
        },
        { onGap },
      );
    },
  };
}

/** Returns the number of messages that a process has seen, for each topic. */
export function seenBy(folder: string, instance: string): Map<string, number> {
  const prefix = `${instance}.seen.`;
  const files = readdirSync(folder).filter((file) => file.startsWith(prefix));
  return new Map(files.map((file) => [file.slice(prefix.length), statSync(path.join(folder, file)).size]));
}

/** Returns the number of events that a process is publishing now. */
export function tellingBy(folder: string, instance: string): number {
  // In this order, or what ends meanwhile would be missing from what began.
  const [ended, begun] = ['ended', 'begun'].map((name) => statSync(path.join(folder, `${instance}.${name}`)).size);
  return begun! - ended!;
}
