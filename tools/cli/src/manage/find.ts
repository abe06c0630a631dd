import { table } from '../table.ts';
import { got } from './api.ts';
import { alone, appOf, ofApp } from './resource.ts';

export const addFind = alone({
  name: 'find',
  places: ['<text>'],
  description:
    'Finds what of an app a text names: a link, a device, the start of an app, a tap, a push, a person. The text may be an email, a fingerprint, a push token, a slug or URL, the id of a request, restore, tap or push, or the id of a device or its first 8 characters.',
  options: [ofApp],
  async run(given, api) {
    const params = { path: await appOf(api, given), query: { q: given.places[0]! } };
    const { found } = await got(api.GET('/api/manage/apps/{appId}/search', { params }));
    const rows = [
      ...found.links.map(({ url, destination }) => ({ kind: 'link', name: url, says: destination })),
      ...found.restores.map(({ at, device, summary }) => ({ kind: 'restore', name: device ?? at, says: summary })),
      ...found.devices.map(({ id, platform }) => ({ kind: 'device', name: id, says: platform })),
      ...found.taps.map(({ at, link }) => ({ kind: 'tap', name: at, says: `on ${link.name ?? link.destination}` })),
      ...found.pushes.map(({ id, title }) => ({ kind: 'push', name: id, says: title || 'silent' })),
      ...found.people.map(({ name, email, role }) => ({ kind: 'person', name: email, says: `${name}, ${role}` })),
    ];
    const lines = table(rows, { KIND: ({ kind }) => kind, NAME: ({ name }) => name, SAYS: ({ says }) => says });
    return { json: found, lines };
  },
});
