// Which changes a process has been told of to keep its copies fresh: a byte for each, in a file for each topic. What is
// watched has no offsets at the broker, so nobody else could know.
import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KafkaBus } from '@landfall/bus';

/** The same bus, which notes in `folder` what its watchers have seen. */
export function noteWatched(bus: KafkaBus, folder: string, instance: string): KafkaBus {
  return {
    ...bus,
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
