import { Group, Text } from '@mantine/core';
import { Fragment, useSyncExternalStore } from 'react';
import { type DateTimeFormatOptions, useFormatter, useTimeZone } from 'use-intl';

/** The clocks of the browser and of Landfall may differ by so many milliseconds. Nothing has happened "in 5 seconds". */
const SKEW_MS = 60_000;

/** The parts of a date. The year only when it is not this one. */
export const dayOf = (at: string): DateTimeFormatOptions => ({
  month: 'short',
  day: 'numeric',
  ...(new Date(at).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
});

/** A time as words such as "2 hours ago" or "in a day". The exact time, in the zone of the page, is its title. */
export function Ago({ at }: { at: string }) {
  const timeZone = useTimeZone();
  const format = useFormatter();
  const time = new Date(at);
  const words = useClock((now) => {
    const ahead = time.getTime() - now;
    return format.relativeTime(time, ahead > 0 && ahead < SKEW_MS ? time : now);
  });
  const exact = format.dateTime(time, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <Text component="time" dateTime={at} title={`${exact} (${timeZone})`}>
      {words}
    </Text>
  );
}

/** The exact time, and how long ago it was. */
export function When({ at }: { at: string }) {
  const format = useFormatter();
  return (
    <Group gap="0 6px">
      <Text span style={{ whiteSpace: 'nowrap' }}>
        {format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' })}
      </Text>
      <Text span c="dimmed">
        <Ago at={at} />
      </Text>
    </Group>
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** A sentence of the API. Its times are in UTC there, and in the zone of the page here. */
export function Sentence({ text }: { text: string }) {
  const timeZone = useTimeZone();
  const format = useFormatter();
  return text.split(INSTANT).map((part, place) => {
    if (!INSTANT.test(part)) return <Fragment key={place}>{part}</Fragment>;
    const time = format.dateTime(new Date(part), { dateStyle: 'medium', timeStyle: 'medium' });
    return (
      <time key={place} dateTime={part} title={`${time} (${timeZone})`}>
        {time}
      </time>
    );
  });
}

const TICK_MS = 1_000;

/** One clock for all relative times of a page, so that rows of one moment always say the same. */
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** @param say what to show at a time. A part is drawn again only when its text is another one. */
const useClock = (say: (now: number) => string): string => useSyncExternalStore(listen, () => say(read()));

/** Browsers slow down the timers of pages that nobody sees, so the clock may be late. */
function read(): number {
  const at = Date.now();
  if (Math.abs(at - now) >= TICK_MS) now = at;
  return now;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const listener of listeners) listener();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
