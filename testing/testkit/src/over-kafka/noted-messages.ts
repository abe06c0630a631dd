// Notes that a process writes to files about its messages, a byte for each: the changes that it got to keep its copies
// fresh (watched events have no offsets at the broker), and the events that it publishes without waiting.
import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KafkaBus } from '@landfall/bus';

/** The same bus, which notes in `folder` what its watchers have seen and what it tells. */
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

/** The number of messages that a process has seen, by topic. */
export function seenBy(folder: string, instance: string): Map<string, number> {
  const prefix = `${instance}.seen.`;
  const files = readdirSync(folder).filter((file) => file.startsWith(prefix));
  return new Map(files.map((file) => [file.slice(prefix.length), statSync(path.join(folder, file)).size]));
}

/** The number of events that a process is publishing. */
export function tellingBy(folder: string, instance: string): number {
  // In this order, or what ends meanwhile would be missing from what began.
  const [ended, begun] = ['ended', 'begun'].map((name) => statSync(path.join(folder, `${instance}.${name}`)).size);
  return begun! - ended!;
}
