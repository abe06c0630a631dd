import { Text, Tooltip } from '@mantine/core';
import { useFormatter, useNow } from 'use-intl';

/** A time as words such as "2 hours ago". The exact time, in the given zone, is in the tooltip. */
export function Ago({ at, timeZone }: { at: string; timeZone: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: 10_000 });
  const time = new Date(at);
  const exact = format.dateTime(time, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return (
    <Tooltip label={`${exact} (${timeZone})`}>
      <Text component="time" dateTime={at} size="sm" inherit>
        {format.relativeTime(time, time > now ? time : now)}
      </Text>
    </Tooltip>
  );
}
