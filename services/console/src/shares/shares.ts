// Routes of those who share figures. What viewers ask is in `shared.ts`.
import { told } from '@landfall/bus';
import { type App, atLeast, nameText, passwordText, ShareChanged } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { makeKey } from '../access/one-time.ts';
import { REFUSALS } from '../analytics/asked.ts';
import { cardsOf } from '../analytics/breakdowns.ts';
import type { Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { found } from '../common/rows.ts';
import type { ConsoleParts } from '../parts.ts';
import { hashNew } from '../passwords/new-password.ts';
import { anyTime, hasPassed, inUtc } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { type KnownShare, Share } from './share-repository.ts';
import { questionOf, ShareOptions, ShareView } from './share-view.ts';

/** The most shares of an app that have not ended. */
const MAX_SHARES = 100;
const DAYS = 90;

export const shareView = Share.omit({ version: true })
  .extend({
    hasPassword: z.boolean(),
    createdBy: z
      .object({ userId: z.uuid(), name: z.string().nullable() })
      .nullable()
      .describe('Who made it. Null: the operator.'),
  })
  .describe('A share without its secret, which is shown only once, when it is made.');

const shareName = () => nameText(100).describe('The title of the page that viewers see.');
const password = () => passwordText().nullable();
const expiry = () =>
  anyTime()
    .nullable()
    .optional()
    .describe(`The share ends at this time. Null: never. If omitted: ${DAYS} days after it is made.`);

export const listShares = manageRoute('GET /api/manage/apps/:appId/shares', {
  summary: 'List the share links of an app, latest first; revoked ones are not listed',
  needs: { role: 'member', of: 'app' },
  reply: z.object({ shares: z.array(shareView) }),
  async handle({ params: { appId } }, parts) {
    await parts.lookups.existingApp(appId);
    return { shares: await viewShares(await parts.account.shares.list(appId), parts) };
  },
});

export const createShare = manageRoute('POST /api/manage/apps/:appId/shares', {
  summary: 'Share a view of the figures with people without an account; its address is shown only once',
  needs: { role: 'member', of: 'app' },
  limit: 'sign-in',
  body: z.object({
    name: shareName(),
    view: ShareView,
    options: ShareOptions.prefault({}),
    password: password().default(null).describe('Viewers must type it. Null: the address alone opens the share.'),
    expiresAt: expiry(),
  }),
  reply: z.object({
    share: shareView,
    url: z.url().describe('The address for viewers. It holds the secret, which is not stored: save it now.'),
    embedUrl: z.url().describe('The address for frames, of the sites in `options.origins`. It holds the secret, too.'),
  }),
  errors: ['SHARING_OFF', 'TOO_MANY_SHARES', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON', 'SIGN_IN_BUSY', ...REFUSALS],
  async handle(call, parts) {
    const { appId } = call.params;
    const { name, view, options } = call.body;
    assertWhole(view);
    await assertAnswered(appId, view, call.caller, parts);
    const passwordHash = await hashGiven(call.body.password, call, parts);
    const expiresAt = expiryOf(call.body.expiresAt, parts.now());
    const { plaintext, hash } = makeKey('lfs_');
    const share = await call.change('CreateShare', async (at) => {
      const { tx, id, actor, now } = at;
      const { teamId } = await lockToShare(at, appId);
      if ((await parts.account.shares.countLive(tx, appId, now)) >= MAX_SHARES) throw new ApiError('TOO_MANY_SHARES');
      const wanted = { name, view, options, expiresAt };
      const made = { ...wanted, id, appId, hash, passwordHash, createdBy: actor.userId, now };
      const share = await parts.account.shares.insert(tx, made);
      return { subject: id, teamId, appId, after: { ...wanted, hasPassword: passwordHash !== null }, done: share };
    });
    const [shown] = await viewShares([share], parts);
    const { PUBLIC_URL } = parts.config;
    const addresses = {
      url: `${PUBLIC_URL}/share#${plaintext}`,
      embedUrl: `${PUBLIC_URL}/embed/${share.id}#${plaintext}`,
    };
    return { share: shown!, ...addresses };
  },
});

export const changeShare = manageRoute('PATCH /api/manage/apps/:appId/shares/:shareId', {
  summary: 'Change the name, the options, the end or the password of a share; what it shows stays',
  needs: { role: 'member', of: 'app' },
  limit: 'sign-in',
  body: z.object({
    name: shareName().optional(),
    options: ShareOptions.optional().describe('All options: one that is left out gets its default.'),
    password: password().optional().describe('A new password. Null: none.'),
    expiresAt: expiry().describe('Null: it does not end.'),
  }),
  reply: z.object({ share: shareView }),
  errors: ['SHARING_OFF', 'SHARE_NOT_FOUND', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON', 'SIGN_IN_BUSY'],
  async handle(call, parts) {
    const { appId, shareId } = call.params;
    const { password, expiresAt, ...rest } = call.body;
    const wanted = {
      ...rest,
      ...(expiresAt !== undefined && { expiresAt: expiryOf(expiresAt, parts.now()) }),
      ...(password !== undefined && { passwordHash: await hashGiven(password, call, parts) }),
    };
    const share = await call.change('ChangeShare', async (at) => {
      const { teamId } = await lockToShare(at, appId);
      const { share: before, hash } = await found(
        parts.account.shares.findOf(at.tx, appId, shareId),
        'SHARE_NOT_FOUND',
      );
      const share = await parts.account.shares.change(at.tx, shareId, wanted);
      const events = [told(ShareChanged, { shareId, hash })];
      return { subject: shareId, teamId, appId, before: noted(before), after: noted(share), done: share, events };
    });
    const [shown] = await viewShares([share], parts);
    return { share: shown! };
  },
});

export const revokeShare = manageRoute('DELETE /api/manage/apps/:appId/shares/:shareId', {
  summary: 'Revoke a share: its address opens nothing any more, at once and for ever',
  needs: { role: 'member', of: 'app' },
  reply: z.object({}),
  errors: ['SHARE_NOT_FOUND'],
  async handle({ params: { appId, shareId }, change }, { account }) {
    return change('RevokeShare', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const { share, hash } = await found(account.shares.findOf(at.tx, appId, shareId), 'SHARE_NOT_FOUND');
      await account.shares.revoke(at.tx, shareId, at.now);
      const events = [told(ShareChanged, { shareId, hash })];
      return { subject: shareId, teamId, appId, before: { name: share.name }, done: {}, events };
    });
  },
});

async function viewShares(
  shares: readonly KnownShare[],
  { account }: ConsoleParts,
): Promise<z.input<typeof shareView>[]> {
  const names = await account.people.namesOf([...new Set(shares.flatMap(({ createdBy }) => createdBy ?? []))]);
  return shares.map(({ lock, version: _, createdBy, ...share }) => ({
    ...share,
    hasPassword: lock !== null,
    createdBy: createdBy === null ? null : { userId: createdBy, name: names.get(createdBy) ?? null },
  }));
}

const noted = ({ name, options, expiresAt, lock }: KnownShare) => ({
  name,
  options,
  expiresAt,
  hasPassword: lock !== null,
});

/** Revoking needs no more than the role: whoever may not share may still end a share. */
async function lockToShare(at: Changing, appId: string): Promise<App> {
  const app = await lockApp(at, appId, 'member');
  const team = app.teamId === null ? null : await at.account.teams.lock(at.tx, app.teamId);
  if (team?.sharing === 'off') throw new ApiError('SHARING_OFF');
  const role = await at.account.teams.roleOf(at.tx, at.actor, app.teamId, at.now);
  if (team?.sharing === 'admins' && !atLeast(role!, 'admin')) throw new ApiError('SHARING_OFF');
  return app;
}

function assertWhole({ from, to }: ShareView): void {
  if ((from === null) === (to === null)) return;
  const path = from === null ? 'view.from' : 'view.to';
  throw new ApiError('INVALID_REQUEST', [{ path, message: 'is needed: the days are fixed' }]);
}

/** Throws what analytics says of cards that cannot be: viewers could only be told that it does not work. */
async function assertAnswered(
  appId: string,
  view: ShareView,
  caller: ManageCall<[], 0, 0, 0>['caller'],
  parts: ConsoleParts,
) {
  if (view.cards.length === 0) return;
  const { timeZone } = await parts.lookups.existingApp(appId);
  const { interval: _, from: __, ...question } = questionOf(view, timeZone, parts.now());
  // One day is enough for it.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(parts.now());
  const asked = { ...question, from: day, to: day, metric: view.cardMetrics, dimension: view.cards, limit: 1 };
  await cardsOf(appId, asked, caller, parts);
}

type Hashing = Pick<ManageCall<[], 0, 0, 0>, 'caller' | 'address' | 'hasLeft'>;

async function hashGiven(
  given: string | null,
  call: Hashing,
  { passwords, signIns }: ConsoleParts,
): Promise<string | null> {
  if (given === null) return null;
  const { caller } = call;
  const person = caller !== null && 'userId' in caller ? caller.userId : null;
  return signIns.run(person, call, () => hashNew(given, passwords));
}

/** @throws ApiError INVALID_REQUEST when it has passed */
function expiryOf(given: string | null | undefined, now: Date): string | null {
  if (given === undefined) return new Date(now.getTime() + DAYS * 86_400_000).toISOString();
  if (hasPassed(given, now))
    throw new ApiError('INVALID_REQUEST', [{ path: 'expiresAt', message: 'must be in the future' }]);
  return given && inUtc(given);
}
