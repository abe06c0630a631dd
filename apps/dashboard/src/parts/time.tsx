import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { useFormatter, useNow } from 'use-intl';

/** The zone for times that belong to no app. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The clocks of the browser and of Landfall may differ by so many milliseconds. Nothing has happened "in 5 seconds". */
const SKEW_MS = 60_000;

/** A time as words such as "2 hours ago" or "in a day". The exact time, in the given zone, is its title. */
export function Ago({ at, timeZone }: { at: string; timeZone: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: 10_000 });
  const time = new Date(at);
  const ahead = time.getTime() - now.getTime();
  const exact = format.dateTime(time, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return (
    <Text component="time" dateTime={at} title={`${exact} (${timeZone})`} size="sm">
      {format.relativeTime(time, ahead > 0 && ahead < SKEW_MS ? time : now)}
    </Text>
  );
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** A sentence of the API. Its times are in UTC there, and in the given zone here. */
export function Sentence({ text, timeZone }: { text: string; timeZone: string }) {
  const format = useFormatter();
  return text.split(INSTANT).map((part, place) => {
    if (!INSTANT.test(part)) return <Fragment key={place}>{part}</Fragment>;
    const time = format.dateTime(new Date(part), { dateStyle: 'medium', timeStyle: 'medium', timeZone });
    return (
      <time key={place} dateTime={part} title={`${time} (${timeZone})`}>
        {time}
      </time>
    );
  });
}
