import { CheckDevice, type RestoreOutcome } from '@landfall/contracts';
import { orRefuse } from '@landfall/http';
import { z } from 'zod';
import { appleAppId } from '../association/association-files.ts';
import { ownHosts } from '../links/link-view.ts';
import { route } from '../routing/route.ts';
import { deviceFingerprint } from './fields.ts';

/** The mobile key is public, so anybody may ask. The fingerprint of the device is the only secret. */
export const checkDevice = route('GET /api/device-check', {
  summary: 'Check how the app is set up, and what arrived from a device. For developers',
  auth: 'key',
  limit: 'device-check',
  query: z.object({ deviceFingerprint: deviceFingerprint().describe('The fingerprint of the restore.') }),
  reply: z.object({
    app: z.object({
      hosts: z.array(z.string()).describe('The link host, the open host and the verified custom domains.'),
      ios: z.object({
        appId: z.string().nullable().describe('The team and the bundle identifier: `ABCDE12345.com.example.shop`.'),
      }),
      android: z.object({ package: z.string().nullable(), certificates: z.array(z.string()) }),
    }),
    device: z.object({
      heartbeatSecondsAgo: z.int().min(0).nullable().describe('Null: none has arrived.'),
      restore: z
        .object({
          secondsAgo: z.int().min(0),
          found: z.int().min(0).describe('The number of links.'),
          why: z.string().describe('The reason in a sentence, for developers.'),
        })
        .nullable()
        .describe(
          'The last restore. Null: none has arrived in 30 days, or several phones have sent this fingerprint, so that it may be the restore of another.',
        ),
    }),
  }),
  async handle({ query, key: { app } }, { bus, config, hashes, now }) {
    const device = hashes.fingerprint(query.deviceFingerprint);
    const { heartbeatAt, restore } = orRefuse(await bus.ask(CheckDevice, { appId: app.id, device }));
    const secondsAgo = (at: string) => Math.max(0, Math.floor((now().getTime() - Date.parse(at)) / 1_000));
    const { package: packageName, certificates } = app.android;
    return {
      app: {
        hosts: ownHosts(app, config),
        ios: { appId: appleAppId(app) },
        android: { package: packageName, certificates },
      },
      device: {
        heartbeatSecondsAgo: heartbeatAt === null ? null : secondsAgo(heartbeatAt),
        restore: restore && {
          secondsAgo: secondsAgo(restore.at),
          found: restore.found,
          why:
            restore.outcome === 'untapped' && app.matching.evidence === 'exact'
              ? 'no token, user or device named a link, and this app gives no link by address'
              : WHY[restore.outcome],
        },
      },
    };
  },
});

/** They tell of other people at most that there was a link. */
const WHY: Record<RestoreOutcome, string> = {
  referrer: 'the install referrer named the tap',
  clipboard: 'the clipboard named the tap',
  email: 'the user has a link that waited',
  fingerprint: 'a link was stored for this device',
  address: 'a tap at the address of this device',
  untapped:
    'no link was tapped at the address of this device in the time that the settings allow, or it was given before. On another network a phone has another address',
  refused: 'there was a link, and it was not given: the page Restores of the web app says why',
  lost: 'there was a link, and it could not be handed over: the next start finds it',
};
