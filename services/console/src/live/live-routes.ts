import { hash, ListLiveEvents, LiveEvent, SEARCHED_LIVE_EVENTS } from '@landfall/contracts';
import { ApiError, type ClientAddress, Reply } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { withDeviceIds } from '../devices/device-ids.ts';
import { withLinkNames } from '../links/link-names.ts';
import { pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { eventStream, type StreamOutput } from './event-stream.ts';
import type { LiveItem } from './live-feeds.ts';
import type { Watcher } from './streams.ts';

/** Milliseconds after which a stream ends and the client connects again, perhaps at another gateway. */
const STREAM_MS = 10 * 60_000;
/** Milliseconds. A client that connects again gets at most the events of this time. */
const RESUME_MS = 10 * 60_000;
/** Milliseconds. Events of one moment may become known in any order. */
const OVERLAP_MS = 5_000;

export const streamLive = manageRoute('GET /api/manage/apps/:appId/live', {
  summary: 'Watch the events of an app; also the decisions of its restores, as server-sent events',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({
    lastEventId: z
      .string()
      .regex(/^[0-9]{1,15}$/)
      .optional()
      .describe('The same as `Last-Event-ID`, for a client that opens a new stream, where a browser sends no header.'),
  }),
  headers: {
    'Last-Event-ID': {
      description:
        'The `id` of the last event, which a browser sends when it connects again. Events since then are sent first; some of them may come a second time, with the same `id` in their data.',
      pattern: '^[0-9]{1,15}$',
    },
  },
  downloads: ['text/event-stream'],
  reply: z.instanceof(Reply),
  errors: ['TOO_MANY_STREAMS'],
  async handle(call, parts) {
    const { lookups } = parts;
    const { id: appId, archivedAt } = await lookups.existingApp(call.params.appId);
    let output: StreamOutput | undefined;
    const place = parts.streams.take(watcherOf(call.caller, call.address), () => output?.end());
    if (place === null) throw new ApiError('TOO_MANY_STREAMS');
    return eventStream((opened) => {
      output = opened;
      const send = (items: readonly LiveItem[]) => opened.send(items.map(streamed));
      const end = parts.live.watch(appId, send);
      const over = setTimeout(() => opened.end(), STREAM_MS);
      const unwatch = lookups.watch([appId], () => {
        lookups.app(appId).then(
          (app) => app?.archivedAt !== archivedAt && opened.end(),
          () => opened.end(),
        );
      });
      const since = resumedAt(call.header('last-event-id') ?? call.query.lastEventId, parts.now());
      if (since !== null)
        parts.live.since(appId, since).then(send, (err) => {
          parts.log.debug({ err, appId }, 'the events since the last connection could not be read');
        });
      return () => {
        clearTimeout(over);
        unwatch();
        end();
        place.release();
      };
    });
  },
});

/** Milliseconds. Earlier events are not listed: analytics counts them. */
const LATEST_MS = 30 * 86_400_000;

export const listEvents = manageRoute('GET /api/manage/apps/:appId/events', {
  summary: 'List the latest events of an app in the last 30 days, latest first',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({
    limit: pageQuery.shape.limit,
    kind: LiveEvent.shape.kind
      .optional()
      .describe(`Only events of this kind. A rare kind is looked for among the latest ${SEARCHED_LIVE_EVENTS} events.`),
  }),
  reply: z.object({
    events: z.array(
      LiveEvent.extend({
        linkName: z.string().nullable().describe('Its name, else its destination. Null: the link cannot be read.'),
        deviceId: z
          .union([z.uuid(), hash()])
          .nullable()
          .describe('Its timeline is at `…/devices/{deviceId}/timeline`. Null: the event has no known device.'),
      }),
    ),
  }),
  async handle({ params: { appId }, query: { limit, kind = null } }, parts) {
    const { forward, lookups, now } = parts;
    const since = new Date(now().getTime() - LATEST_MS).toISOString();
    const { events } = await forward(ListLiveEvents, { appId, since, limit, kind });
    return { events: await withDeviceIds(appId, await withLinkNames(events.toReversed(), lookups), parts) };
  },
});

/** The position is the time of the event, in milliseconds since 1970. */
const streamed = (item: LiveItem) => ({ id: `${Date.parse(item.at)}`, name: item.kind, data: item });

function resumedAt(lastEventId: string | undefined, now: Date): Date | null {
  if (lastEventId === undefined || !/^\d{1,15}$/.test(lastEventId)) return null;
  return new Date(Math.max(Number(lastEventId) - OVERLAP_MS, now.getTime() - RESUME_MS));
}

function watcherOf(caller: Caller, { key, site }: ClientAddress): Watcher {
  if (caller.kind === 'visitor') return { kind: 'visitor', key, site };
  return caller.kind === 'operator' ? { kind: 'operator', id: caller.tokenId } : { kind: 'person', id: caller.userId };
}
