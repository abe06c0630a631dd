// What a process alone knows of its messages, noted in files, a byte for each: which changes it has been told of to keep its
// copies fresh (what is watched has no offsets at the broker), and which events it tells without anybody waiting for it.
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

/** How many a process has seen, by topic. */
export function seenBy(folder: string, instance: string): Map<string, number> {
  const prefix = `${instance}.seen.`;
  const files = readdirSync(folder).filter((file) => file.startsWith(prefix));
  return new Map(files.map((file) => [file.slice(prefix.length), statSync(path.join(folder, file)).size]));
}

/** How many events a process tells at this moment. */
export function tellingBy(folder: string, instance: string): number {
  // In this order, or what ends meanwhile would be missing from what began.
  const [ended, begun] = ['ended', 'begun'].map((name) => statSync(path.join(folder, `${instance}.${name}`)).size);
  return begun! - ended!;
}
