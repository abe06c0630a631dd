import { facts } from '../table.ts';
import { got } from './api.ts';
import { type Action, option, resource } from './resource.ts';

const actions: readonly Action[] = [
  {
    name: 'explain',
    places: ['<url>'],
    description: 'Says what a tap on a link would do on a device, and why. Nothing is recorded.',
    options: [
      option('--device <id>', 'the device and browser; link devices lists them (default: iphone-safari)'),
      option('--user-agent <text>', 'a user agent of your own'),
      option('--installed', 'the app is on the device'),
    ],
    async run({ places: [url], text: { device, userAgent }, has }, api) {
      const query = {
        link: url!,
        ...(device && { device }),
        ...(userAgent && { userAgent }),
        ...(has('installed') && { installed: 'true' as const }),
      };
      const answer = await got(api.GET('/api/manage/explain', { params: { query } }));
      const { rule, steps, answer: given } = answer;
      const lines = [
        ...facts({ link: answer.link.url, device: answer.device.name, 'user agent': answer.device.userAgent }),
        '',
        ...steps.map(({ detail }, at) => `${at + 1}. ${detail}`),
        '',
        ...facts({ rule, status: given.status, url: given.url, page: given.page }),
        ...(rule === 'app-opens' ? ['The last three are what a browser would get that asks the link host.'] : []),
      ];
      return { json: answer, lines };
    },
  },
  {
    name: 'devices',
    description: 'Lists the devices and browsers for explain.',
    async run(_, api) {
      const answer = await got(api.GET('/api/manage/explain/devices'));
      return { json: answer, lines: answer.devices.map(({ id, name }) => `${id.padEnd(22)}${name}`) };
    },
  },
];

export const addLink = resource('link', 'Say what a tap on a link would do, and why.', actions);
