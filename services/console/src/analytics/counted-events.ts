// What a figure counts, one by one: each row with its link, and with the device and the restore that it leads to.
import { CountedEvent, hash, ListEvents, ListedFigure } from '@landfall/contracts';
import { Reply } from '@landfall/http';
import { z } from 'zod';
import { allPages, asCsv, CSV, csvFile } from '../common/csv.ts';
import { hashesOf } from '../devices/device-ids.ts';
import { namesOfLinks } from '../links/link-names.ts';
import type { ConsoleParts } from '../parts.ts';
import { pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { type Asker, askedOf, fileNameOf, REFUSALS, range, WAIT } from './asked.ts';

const row = CountedEvent.omit({ linkId: true, device: true }).extend({
  tapId: CountedEvent.shape.tapId.describe(
    'Of a tap, also one that the installed app opened: itself. Of an install or a restore: the tap that led to it.',
  ),
  link: z
    .object({
      id: z.uuid(),
      name: z.string().nullable().describe('Its name, else its destination. Null: the link cannot be read.'),
    })
    .nullable(),
  deviceId: z
    .union([z.uuid(), hash()])
    .nullable()
    .describe('Its timeline is at `…/devices/{deviceId}/timeline`. Null: the event has no device, or it is forgotten.'),
});

const counted = z.object({
  ...range,
  figure: ListedFigure.describe(
    'A metric, or a step of the funnel, of which the rows are the clicks that led there: `funnel.restores`, `funnel.installs`, `funnel.opens`.',
  ),
});
const asked = counted.extend(pageQuery.shape);

export const listCountedEvents = manageRoute('GET /api/manage/apps/:appId/analytics/events', {
  summary: 'List the events that a figure counts, latest first; with the same range and filters as the figure',
  needs: { role: 'viewer', of: 'app' },
  query: asked,
  reply: ListEvents.reply.extend({ events: z.array(row) }),
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, parts) => rowsOf(appId, query, caller, parts),
});

export const exportCountedEvents = manageRoute('GET /api/manage/apps/:appId/analytics/events/export', {
  summary: 'Download all events that a figure counts as CSV, latest first. Times are in UTC',
  needs: { role: 'viewer', of: 'app' },
  query: counted,
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const read = (cursor: string | null) => rowsOf(appId, { ...query, limit: PAGE, cursor }, caller, parts);
    // The days of the first page name the file, and its refusal is the answer.
    const first = await read(null);
    const pages = allPages(async (cursor) => {
      const { events, next } = cursor === null ? first : await read(cursor);
      return { rows: events.map(({ link, ...event }) => ({ ...event, link: link?.name, linkId: link?.id })), next };
    });
    return csvFile(fileNameOf(app, query.figure, first), asCsv(columns, pages));
  },
});

/** The most rows of a question to analytics. */
const PAGE = 100;

const columns = [
  ...(['at', 'link', 'country', 'platform', 'os', 'browser', 'language', 'inAppBrowser', 'via', 'referrer'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'answered', 'matchType', 'appVersion'] as const),
  ...(['linkId', 'tapId', 'deviceId'] as const),
] as const;

async function rowsOf(appId: string, query: z.output<typeof asked>, caller: Asker, parts: ConsoleParts) {
  const found = await parts.forward(ListEvents, { appId, ...askedOf(query, caller) }, WAIT);
  const [names, devices] = await Promise.all([
    namesOfLinks(found.events, parts.lookups),
    devicesOf(appId, found.events, query.figure, parts),
  ]);
  const events = found.events.map(({ linkId, device, ...event }) => ({
    ...event,
    link: linkId === null ? null : { id: linkId, name: names.get(linkId) ?? null },
    deviceId: device === null ? null : (devices.get(device) ?? null),
  }));
  return { ...found, events };
}

const OF_PUSHES: readonly ListedFigure[] = ['registrations', 'pushesSent', 'pushesOpened'];

/** Events of pushes name the device that is registered. */
async function devicesOf(
  appId: string,
  events: readonly CountedEvent[],
  figure: ListedFigure,
  parts: ConsoleParts,
): Promise<ReadonlyMap<string, string>> {
  const devices = events.flatMap(({ device }) => device ?? []);
  return OF_PUSHES.includes(figure) ? new Map(devices.map((id) => [id, id])) : hashesOf(appId, devices, parts);
}
