// Routes of an app's logo: set and remove.
import { SetLogo } from '@landfall/contracts';
import { z } from 'zod';
import { etag } from '../http/etags.ts';
import { LOGO_BYTES, LOGO_PIXELS, readLogo } from '../logos/read-logo.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { appParams, appView, viewApp } from './manage-fields.ts';

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

export const setLogo = manageRoute({
  method: 'PUT',
  path: '/api/manage/apps/:appId/logo',
  name: 'setLogo',
  summary: "Set the app's logo for its link pages",
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  // An upload of a few megabytes gets an answer that names its field.
  bodyBytes: 8 * LOGO_BYTES,
  body: z.object({ image: image() }),
  reply: z.object({ app: appView }),
  errors: [],
  async handle({ actor, params: { appId }, body, setHeader }, { bus, lookups, config }) {
    const png = await readLogo(Buffer.from(body.image, 'base64'));
    const command = { actor: actor(), appId, image: png.toString('base64') };
    const { app } = orRefuse(await bus.ask(SetLogo, command));
    lookups.forgetApp(appId);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});

export const removeLogo = manageRoute({
  method: 'DELETE',
  path: '/api/manage/apps/:appId/logo',
  name: 'removeLogo',
  summary: "Remove the app's logo",
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  reply: z.object({ app: appView }),
  errors: [],
  async handle({ actor, params: { appId }, setHeader }, { bus, lookups, config }) {
    const { app } = orRefuse(await bus.ask(SetLogo, { actor: actor(), appId, image: null }));
    lookups.forgetApp(appId);
    setHeader('ETag', etag(app));
    return { app: viewApp(app, config) };
  },
});
