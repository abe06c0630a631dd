// One search for support: what of an app a text names, whatever kind of thing it is. Emails, fingerprints and tokens are
// hashed before anything is looked up, and nothing stores what was typed.
import {
  type App,
  FindNotification,
  FindTap,
  type Link,
  ListDevices,
  ListLinks,
  ListRestores,
  type ReplyOf,
  reader,
  readSearch,
  text,
} from '@landfall/contracts';
import { z } from 'zod';
import { registrationsOf } from '../devices/registrations.ts';
import { outcomeOfWaiting, pendingOf, tapOutcome } from '../links/link-events.ts';
import { linkView, viewLinks } from '../links/link-fields.ts';
import type { ConsoleParts } from '../parts.ts';
import { searched } from '../restores/list-restores.ts';
import { manageRoute } from '../routing/route.ts';
import { memberView } from '../teams/team-repository.ts';

/** The most of each kind. Each kind has a page with a search that goes on. */
const MOST = 5;

const foundRestore = ListRestores.reply.shape.restores.element.pick({
  id: true,
  at: true,
  device: true,
  platform: true,
  matchType: true,
  outcome: true,
  summary: true,
});
const toFound = reader(foundRestore);
const foundTap = FindTap.reply.shape.tap.unwrap().extend({
  link: linkView.pick({ name: true, destination: true }),
  outcome: tapOutcome,
});
const foundPush = z.object({
  id: z.uuid(),
  title: z.string(),
  createdAt: FindNotification.reply.shape.notification.shape.createdAt,
});

export const search = manageRoute('GET /api/manage/apps/:appId/search', {
  summary: `Find what of an app a text names: links, restores, devices, taps, pushes and people, at most ${MOST} of each`,
  needs: { role: 'viewer', of: 'app' },
  query: z.object({
    q: text(2048)
      .regex(/\S/, 'must not be blank')
      .describe(
        'The slug, URL, name or destination of a link; the email or id of a user; a fingerprint or push token; the id of a device, or its first 8 characters or more; the id of a request, restore, push, or of a tap that waits or waited for an install; the name or email of a person of the team.',
      ),
  }),
  reply: z.object({
    found: z.object({
      links: z.array(linkView),
      restores: z.array(foundRestore),
      devices: ListDevices.reply.shape.devices,
      taps: z.array(foundTap),
      pushes: z.array(foundPush),
      people: z.array(memberView.pick({ userId: true, name: true, email: true, role: true })),
    }),
  }),
  async handle({ params: { appId }, query: { q }, caller }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const given = q.trim();
    const id = ID.safeParse(given.toLowerCase()).data;
    const [links, restores, devices, taps, pushes, people] = await Promise.all([
      linksOf(appId, given, parts),
      restoresOf(appId, given, parts),
      registrationsOf(appId, given, MOST, parts),
      id === undefined ? [] : tapsOf(app, id, parts),
      id === undefined ? [] : pushesOf(appId, id, parts),
      // Visitors of a demo see no people.
      app.teamId === null || caller?.kind === 'visitor' ? [] : peopleOf(app.teamId, given, parts),
    ]);
    return {
      found: {
        links: await viewLinks(app, links, parts, caller),
        restores: restores.map(toFound),
        devices,
        taps,
        pushes,
        people,
      },
    };
  },
});

/** The link of a slug or URL first, and those that have the text somewhere. */
async function linksOf(appId: string, given: string, { lookups, forward }: ConsoleParts): Promise<Link[]> {
  const { slug } = readSearch(given);
  const [exact, { links }] = await Promise.all([
    slug === '' ? null : lookups.slug(appId, slug),
    forward(ListLinks, { appId, search: given, limit: MOST, cursor: null }),
  ]);
  const others = links.filter(({ id }) => id !== exact?.id);
  return [...(exact === null ? [] : [exact]), ...others].slice(0, MOST);
}

async function restoresOf(
  appId: string,
  given: string,
  parts: ConsoleParts,
): Promise<ReplyOf<typeof ListRestores>['restores']> {
  const of = await searched(appId, { search: given }, parts);
  const { restores } = await parts.forward(ListRestores, {
    appId,
    limit: MOST,
    cursor: null,
    filter: { of },
  });
  return restores;
}

const ID = z.uuid();

async function tapsOf(app: App, tapId: string, parts: ConsoleParts) {
  const { tap } = await parts.forward(FindTap, { appId: app.id, tapId });
  if (tap === null) return [];
  const [link, found] = await Promise.all([parts.lookups.link(tap.linkId), pendingOf(app, tap.linkId, [tapId], parts)]);
  if (link === null) return [];
  const outcome = outcomeOfWaiting(tap, found.get(tapId), app, parts.now());
  return [{ ...tap, outcome, link: { name: link.name ?? null, destination: link.destination } }];
}

async function pushesOf(appId: string, notificationId: string, { bus }: ConsoleParts) {
  const found = await bus.ask(FindNotification, { notificationId });
  if (!found.ok || found.reply.notification.appId !== appId) return [];
  const { id, message, createdAt } = found.reply.notification;
  return [{ id, title: message.title, createdAt }];
}

async function peopleOf(teamId: string, given: string, { account }: ConsoleParts) {
  const wanted = given.toLowerCase();
  const members = await account.teams.members(teamId);
  return members
    .filter(({ name, email }) => [name, email].some((text) => text.toLowerCase().includes(wanted)))
    .slice(0, MOST)
    .map(({ userId, name, email, role }) => ({ userId, name, email, role }));
}
