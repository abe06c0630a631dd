// What a story of `clients/vectors` needs of the product, made for this story alone: an app, links, taps, a user.
import { freshIp, IPHONE, type Received, type System } from '@landfall/testkit';
import type { Vector } from '../../../clients/javascript/client/src/vectors.testing.ts';
import { type callsOf, del, patch, post, signJwt } from '../calls.ts';
import { ANDROID } from '../user-agents.ts';

/** The links of the stories, with what they were made with. */
const LINKS = [
  ['7c0f3a52-4f0e-4a53-9c39-2b8d8f1f6a01', '1763737445000-abcdefghijklmn', '/invite?code=7', { campaign: 'spring' }],
  ['7c0f3a52-4f0e-4a53-9c39-2b8d8f1f6a02', '1763737446000-nopqrstuvwxyza', '/offers', {}],
  ['7c0f3a52-4f0e-4a53-9c39-2b8d8f1f6a03', '1763737447000-bcdefghijklmno', '/sale', {}],
] as const;
const RECORDED = {
  key: 'ol_00000000000000000000000000000001',
  revokedKey: 'ol_00000000000000000000000000000002',
  host: 'shop.links.example',
  openHost: 'open-shop.links.example',
  port: ':8080',
  tapToken: 'token-of-the-tap',
  identityToken: 'token-of-ada',
};

/** What stands in the records, and what the product made instead. */
export type Pairs = [recorded: string, made: string][];

export interface Stage {
  key: string;
  /** The addresses of the phone. */
  ip: string;
  ipv6: string;
  pairs: Pairs;
}

export async function stageOf(story: Vector, system: System, calls: ReturnType<typeof callsOf>): Promise<Stage> {
  const { app: { identity, ...settings } = {}, tap, tapFrom, waiting, device } = story;
  const [ip, ipv6] = [freshIp(), `2001:db8:${freshIp().split('.').slice(2).join(':')}::7`];
  const app = await system.makeApp(settings);
  const manage = `/api/manage/apps/${app.app.id}`;
  const links: Awaited<ReturnType<System['makeLink']>>[] = [];
  for (const [, , destination, metadata] of LINKS) links.push(await system.makeLink(app, destination, metadata));
  const { host, hostname, origin, protocol } = new URL(links[0]!.url);
  const [, domain = ''] = hostname.split(/\.(.*)/);
  const pairs: Pairs = [
    [RECORDED.key, app.key],
    [`https://${RECORDED.host}`, origin],
    [RECORDED.openHost, `open-${app.app.subdomain}.${domain}`],
    [RECORDED.host, hostname],
    [RECORDED.port, host.slice(hostname.length)],
    ...LINKS.flatMap(
      ([id, slug], i): Pairs => [
        [id, links[i]!.id],
        [slug, links[i]!.slug],
      ],
    ),
    ['https://', `${protocol}//`],
  ];
  const made = (recorded: string) => pairs.reduce((text, [from, to]) => text.replaceAll(from, to), recorded);

  if (JSON.stringify(story).includes(RECORDED.revokedKey)) {
    const { key, plaintext } = (await calls.change(post(`${manage}/keys`, { kind: 'mobile' }))).json;
    await calls.change(del(`${manage}/keys/${key.id}`));
    pairs.push([RECORDED.revokedKey, plaintext]);
  }

  let signed = {};
  if (identity !== undefined) {
    const { plaintext } = (await calls.change(post(`${manage}/identity-secrets`, {}))).json;
    await calls.change(patch(manage, { identity }));
    const exp = Math.floor(system.clock() / 1_000) + 600;
    const identityToken = signJwt(plaintext, { sub: waiting?.userEmail, exp });
    signed = { identityToken };
    pairs.push([RECORDED.identityToken, identityToken]);
  }
  for (const url of waiting?.links ?? []) {
    const { id: linkId } = links.find((link) => link.url === made(url))!;
    await calls.store(app, { linkId, userEmail: waiting?.userEmail, ...signed });
    await system.settled();
  }

  if (tap !== undefined) {
    const from = { ipv6, elsewhere: freshIp() }[tapFrom as string] ?? ip;
    const userAgent = device.platform === 'ios' ? IPHONE : ANDROID;
    const token = tokenIn(await calls.tap(made(tap), { ip: from, userAgent }));
    if (token !== null) pairs.push([RECORDED.tapToken, token]);
    // The phones of the stories installed the app 40 seconds ago.
    system.clock.advance({ minutes: 1 });
  }
  return { key: app.key, ip, ipv6, pairs };
}

/** The token of a tap, which its answer gives to the phone: in the address of the store, or in the page that copies a link. */
function tokenIn({ headers, text }: Received): string | null {
  const referrer = new URL(headers.location ?? 'https://none').searchParams.get('referrer');
  if (referrer !== null) return new URLSearchParams(referrer).get('lf_click');
  const [, copied] = /data-copied="([^"]*)"/.exec(text) ?? [];
  return copied === undefined ? null : new URL(copied).searchParams.get('lf_clip');
}
