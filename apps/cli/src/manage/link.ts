// Links: a command that says what a tap would do.
import { z } from 'zod';
import { facts } from '../table.ts';
import { type Action, option, resource } from './resource.ts';

const reply = z.object({
  link: z.object({ url: z.string() }),
  device: z.object({ name: z.string(), userAgent: z.string() }),
  rule: z.string(),
  steps: z.array(z.object({ step: z.string(), detail: z.string() })),
  answer: z.object({
    status: z.int(),
    url: z.string().nullable(),
    page: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
  }),
});

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
      const query = new URLSearchParams({
        link: url!,
        ...(device && { device }),
        ...(userAgent && { userAgent }),
        ...(has('installed') && { installed: 'true' }),
      });
      const answer = await api.ask(reply, 'GET', `/explain?${query}`);
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
      const view = z.object({ id: z.string(), name: z.string(), group: z.string() }).loose();
      const answer = await api.ask(z.object({ devices: z.array(view) }), 'GET', '/explain/devices');
      return { json: answer, lines: answer.devices.map(({ id, name }) => `${id.padEnd(22)}${name}`) };
    },
  },
];

export const addLink = resource('link', 'Say what a tap on a link would do, and why.', actions);
