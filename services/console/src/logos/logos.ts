import { createHash } from 'node:crypto';
import { type App, AppSettings } from '@landfall/contracts';
import { etag } from '@landfall/http';
import { z } from 'zod';
import { changedApp } from '../apps/changed-app.ts';
import type { Change, Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { appView, viewApp } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { LOGO_BYTES, LOGO_PIXELS, readLogo } from './read-logo.ts';

/** The upload in base64 takes a third more than its bytes. */
const MAX_BASE64 = Math.ceil(LOGO_BYTES / 3) * 4;

const image = () =>
  z
    .string()
    .max(MAX_BASE64, 'must be at most 1 MB')
    .pipe(z.base64('must be base64'))
    .describe(
      `A PNG, a JPEG or a WebP image of at most 1 MB in base64. It is encoded anew as a PNG of ${LOGO_PIXELS} × ${LOGO_PIXELS} pixels.`,
    );

export const setLogo = manageRoute('PUT /api/manage/apps/:appId/logo', {
  summary: "Set the app's logo for its link pages",
  needs: { role: 'admin', of: 'app' },
  // An upload of a few megabytes gets an answer that names its field.
  bodyBytes: 8 * LOGO_BYTES,
  body: z.object({ image: image() }),
  reply: z.object({ app: appView }),
  async handle({ params: { appId }, body, change, setHeader }, { config }) {
    const png = Uint8Array.from(await readLogo(Buffer.from(body.image, 'base64')));
    const app = await change('SetLogo', (at) => changeLogo(at, appId, png));
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const removeLogo = manageRoute('DELETE /api/manage/apps/:appId/logo', {
  summary: "Remove the app's logo",
  needs: { role: 'admin', of: 'app' },
  reply: z.object({ app: appView }),
  async handle({ params: { appId }, change, setHeader }, { config }) {
    const app = await change('SetLogo', (at) => changeLogo(at, appId, null));
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

/** Stores an image under its SHA-256, so that its address may be cached for ever. Null: the app has no logo. */
async function changeLogo(at: Changing, appId: string, image: Uint8Array<ArrayBuffer> | null): Promise<Change<App>> {
  const { tx, account, now } = at;
  const before = await lockApp(at, appId, 'admin');
  const hash = image && createHash('sha256').update(image).digest('hex');
  await tx.logo.deleteMany({ where: { appId } });
  if (image && hash) await tx.logo.create({ data: { hash, image, appId, createdAt: now } });
  const settings = AppSettings.parse({ ...before, branding: { ...before.branding, logo: hash } });
  return changedApp(at, before, await account.apps.change(tx, appId, { settings }));
}
