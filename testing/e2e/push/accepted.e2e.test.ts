// What the routes for pushes accept, the libraries of both providers accept.
import { PushMessage } from '@landfall/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { messageOf, missingIn, pushFields } from '../../../services/console/src/pushes/push-fields.ts';
import { renderApns } from '../../../services/push/src/domain/render/render-apns.ts';
import { renderFcm } from '../../../services/push/src/domain/render/render-fcm.ts';
import { apnsRequest } from '../../../services/push/src/providers/apns.ts';
import { createFcmRequests } from '../../../services/push/src/providers/fcm.ts';

const fcm = createFcmRequests('shop-12345', { getAccessToken: async () => ({ access_token: 'x', expires_in: 1 }) });
afterAll(() => fcm.close());

const schema = z.object(pushFields);
const now = new Date('2026-11-21T15:04:05.000Z');

/** Texts with everything that is hard for a header, a URL or a check of a library. */
const hard = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'Z', '7', ' ', '/', '//', '&', '?', '#', '%', '%2', '[', ']', '{', '|', '^', '`', '\\', '"'),
      fc.constantFrom(
        '_',
        '-',
        '.',
        '..',
        '@',
        ':',
        ':443',
        'ü',
        '注',
        '軨',
        '🚀',
        '\n',
        '\r',
        '\t',
        '\u0007',
        '\u200b',
      ),
      fc.constantFrom('from', 'google.a', 'gcm.b', 'notification', 'aps', '__proto__', '\u2028', '\ud800', '\u0000'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const address = fc
  .tuple(fc.constantFrom('https://', 'HTTPS://', 'http://', ''), hard, fc.constantFrom('cdn.example', ''), hard)
  .map((parts) => parts.join(''));
const likely = fc.oneof(
  hard.map((path) => `https://cdn.example/${path}`),
  hard.map((query) => `https://cdn.example/a?${query}`),
);
const imageUrl = fc.oneof(
  address,
  likely,
  hard.map((host) => `https://a${host}.example/a.png`),
);
/** Mostly good, because a push is refused as a whole. */
const some = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom('Sale', 'ünï 🚀', ' a b ') },
  { weight: 1, arbitrary: hard },
);
const image = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.constantFrom('https://cdn.example/ü b.png?a=[1]|2', 'HTTPS://bücher.example', 'https://[::1]:8/^'),
  },
  { weight: 1, arbitrary: imageUrl },
);
const badge = fc.integer({ min: 0, max: 99_999 });
const priority = fc.constantFrom('high', 'normal');
const both = { title: some, body: some, imageUrl: image, sound: some, badge, priority };
const optional = <T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] });
const name = fc.constantFrom('a', 'from', 'google.a', 'gcm.b', 'notification', 'aps', 'message_type', ' ', 'ü');
const given = optional({
  ...both,
  destinationPath: fc.constantFrom('/', '/a?from=b&google.c=d#e', '/ü ?x=🚀', '/?aps=1'),
  metadata: fc.dictionary(name, fc.oneof(some, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())),
  collapseKey: some,
  silent: fc.boolean(),
  category: some,
  mutableContent: fc.boolean(),
  ios: optional({ ...both, category: some, interruptionLevel: fc.constantFrom('passive', 'critical') }),
  android: optional({ ...both, channelId: some }),
  localized: fc.dictionary(fc.constantFrom('de', 'zh-TW', 'no', 'pt'), optional({ title: some, body: some })),
});

const pushOf = (message: PushMessage, platform: 'ios' | 'android', language: string | null) => ({
  id: '00000000-0000-5000-8000-000000000001',
  notificationId: '00000000-0000-4000-8000-000000000002',
  token: 'a:token',
  expiresAt: new Date('2026-11-22T15:04:05.000Z'),
  ...{ message, platform, language },
});

test('each push that send accepts goes out to both providers', async () => {
  let accepted = 0;
  let images = 0;
  await fc.assert(
    fc.asyncProperty(given, async (body) => {
      const parsed = schema.safeParse(body);
      if (!parsed.success || missingIn(parsed.data).length > 0) return;
      const message = PushMessage.parse(messageOf(parsed.data));
      accepted++;
      if (message.imageUrl !== null) images++;
      for (const platform of ['ios', 'android'] as const)
        for (const language of [null, 'de-AT', 'zh-HK'])
          await fcm.make(renderFcm(pushOf(message, platform, language), now), false);
      const { headers } = apnsRequest(renderApns(pushOf(message, 'ios', 'no'), 'a.b', now));
      for (const [name, value] of Object.entries(headers))
        expect(String(value), name).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
    }),
    { numRuns: 200 },
  );
  // The check is worth something only when much is accepted.
  expect(accepted).toBeGreaterThan(40);
  expect(images).toBeGreaterThan(10);
});

test('each image address that is accepted is accepted by Firebase, and is the same address for a browser', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(imageUrl, async (given) => {
      const parsed = schema.safeParse({ title: 'x', imageUrl: given });
      if (!parsed.success) return;
      accepted++;
      const message = messageOf(parsed.data);
      await fcm.make(renderFcm(pushOf(message, 'android', null), now), false);
      const decoded = (url: string) =>
        new URL(url).href.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
      expect(decoded(message.imageUrl!)).toBe(decoded(given));
    }),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(80);
});

test('two collapse keys never become one at Apple, and fit into its header', () => {
  const id = (collapseKey: string) =>
    renderApns(pushOf(messageOf({ title: 'x', collapseKey }), 'ios', null), 'a.b', now).collapseId;
  fc.assert(
    fc.property(hard, hard, (a, b) => {
      fc.pre(a !== b && schema.safeParse({ collapseKey: a }).success && schema.safeParse({ collapseKey: b }).success);
      expect(id(a)).not.toBe(id(b));
      expect(id(a).length).toBeLessThanOrEqual(64);
    }),
  );
  expect(id('注文-42')).not.toBe(id('軨文-42'));
  expect(id('order 42')).toBe('order 42');
  expect(id(id('é'))).not.toBe(id('é'));
});
