// Examples of bodies for the OpenAPI document, by operation. They are made-up values that belong together: one link,
// one device, one push. A test checks each against the schema of its route.

const app = '0198c9a2-5b3e-7d41-9f0a-3c1e8b7a6d52';
const team = '0198c9a2-1f6c-7a90-8e2d-6b5f4c3a2d18';
const notification = '0198cb40-77d2-7c35-b6e1-9a8f5d4c3b21';
const channel = '0198cb51-3f2a-7b16-9d4e-5c6b7a8f9012';
const pendingLinkId = '0198c9ba-91d3-7f06-8b2c-1d3e5f708192';
const deviceFingerprint = 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d';
const deviceToken = '6f1c0e9a8b7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3';
const metadata = { campaign: 'autumn', inviter: 'ada' };
const destination = '/products/42?utm_source=newsletter';
const link = {
  id: '0198c9b7-2c4d-7e5f-a1b2-c3d4e5f60718',
  slug: '1763631667512-x7k2m9qd',
  url: 'https://shop.go.example.com/1763631667512-x7k2m9qd',
};
/** What the service adds to the metadata of a link. */
const added = { destination_path: '/products/42', destination_full: destination, created_via: 'sdk' };
const found = {
  destination,
  destination_path: '/products/42',
  metadata: { utm_source: 'newsletter', ...metadata, ...added },
  parameters: { ...metadata, utm_source: 'newsletter' },
};
const target = { platform: 'ios', userEmails: ['ada@example.com'] };
const code = 'q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs';
const step = `v1.${'q3Jx0rT9vYk5sWm2bNc8dLf1hPg7zXe4uAa6iOoEwQs'.repeat(3)}`;
const passkey = { id: 'AQIDBAUGBwgJCgsMDQ4PEA', clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0' };
const usedPasskey = { ...passkey, authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4', signature: 'MEUCIQDTGFCkvAAzlVGf' };
const password = 'correct horse battery staple';

/** The body of each operation that takes one. */
export const requestExamples: Record<string, object> = {
  createShare: {
    name: 'Autumn campaign',
    view: {
      range: '30',
      compare: 'previous',
      filter: ['utmCampaign:autumn'],
      figures: ['clicks', 'attributedInstalls'],
      cardMetrics: ['clicks', 'attributedInstalls'],
      cards: ['country', 'link'],
      funnel: true,
    },
    options: { csv: true, origins: ['https://wiki.example.com'] },
  },
  changeShare: { name: 'Autumn campaign, all countries', expiresAt: null },
  unlockShare: { password },
  createView: { name: 'Autumn', page: 'analytics', query: 'filter=%5B%22utmCampaign%3Aautumn%22%5D', shared: true },
  changeView: { name: 'Autumn campaign' },
  createLink: { destination, metadata },
  createLinks: {
    links: [
      { destination: '/products/42', metadata, idempotencyKey: 'newsletter-42' },
      { destination: '/products/43', metadata, idempotencyKey: 'newsletter-43' },
    ],
  },
  recordHeartbeat: { deviceFingerprint, platform: 'ios' },
  restoreLinks: { deviceFingerprint, platform: 'ios', installedSecondsAgo: 20 },
  storePendingLink: { linkId: link.id, originalUrl: link.url, userEmail: 'ada@example.com' },
  registerDevice: {
    deviceToken,
    platform: 'ios',
    userEmail: 'ada@example.com',
    language: 'de',
    environment: 'production',
  },
  recordOpen: { notificationId: notification, deviceToken },
  unregisterDevice: { deviceToken },
  sendPush: {
    appId: app,
    target,
    title: 'Your order is on its way',
    body: 'It arrives on Tuesday.',
    destinationPath: '/orders/1001',
    idempotencyKey: 'order-1001-sent',
  },
  editPush: { title: 'Your order arrives today', scheduleAt: '2030-01-15T09:00:00Z' },
  countAudience: { target },
  setPushProvider: {
    key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
    keyId: 'ABC123DEFG',
    teamId: 'DEF123GHIJ',
    bundleId: 'com.example.shop',
  },
  setUp: {
    code,
    email: 'ada@example.com',
    password,
    name: 'Ada Lovelace',
    teamName: 'Shop',
  },
  signIn: { email: 'ada@example.com', password },
  takeSecondStep: { step, code: '492039' },
  signInByPasskey: { step, passkey: usedPasskey },
  confirmAuthenticatorApp: { step, code: '492039' },
  addPasskey: {
    step,
    name: 'Phone',
    passkey: { ...passkey, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ', transports: ['internal'] },
  },
  forgotPassword: { email: 'ada@example.com' },
  choosePassword: { code, password },
  renameMe: { name: 'Ada Lovelace' },
  changePassword: { current: password, next: 'seven brown foxes on a roof' },
  createToken: { teamId: team, scope: 'write', label: 'Deployment', expiresAt: '2030-01-01T00:00:00Z' },
  createOwnerToken: { label: 'Backup', expiresAt: '2030-01-01T00:00:00Z' },
  resetPassword: { email: 'ada@example.com' },
  removeSecondFactor: { email: 'ada@example.com' },
  createTeam: { name: 'Shop' },
  updateTeam: { name: 'Shop and store' },
  setRole: { role: 'admin' },
  invite: { email: 'grace@example.com', role: 'member', mail: true },
  lookAtInvitation: { code },
  acceptInvitation: { code },
  joinByInvitation: { code, name: 'Grace Hopper', password },
  createApp: {
    name: 'Shop',
    subdomain: 'shop',
    teamId: team,
    ios: { storeId: '1234567890', teamId: 'DEF123GHIJ', bundleId: 'com.example.shop' },
    android: { package: 'com.example.shop' },
  },
  updateApp: { webFallbackUrl: 'https://shop.example.com', timeZone: 'Europe/Berlin', labels: ['campaign', 'inviter'] },
  setLogo: {
    image:
      'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEUaf1qV0savAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4y2NgGAWjYBSMAuwAAAQgAAFWu83mAAAAAElFTkSuQmCC',
  },
  whatIfMatching: { matching: { windowMinutes: 60, personMinutes: 120 }, days: 30 },
  setPlan: { name: 'Team', linksPerMonth: 100_000 },
  transferApp: { teamId: team },
  addDomain: { domain: 'go.example.com' },
  makeIdentitySecret: { overlapSeconds: 86_400 },
  createKey: { label: 'App 2.4', kind: 'mobile' },
  rotateKey: { overlapSeconds: 86_400, label: 'App 2.5' },
  createManagedLink: {
    destination,
    metadata,
    name: 'Autumn newsletter',
    slug: 'autumn',
    tags: ['autumn', 'newsletter'],
    expiresAt: '2030-01-01T00:00:00Z',
  },
  importLinks: {
    links: [{ destination: '/products/42', metadata, name: 'Poster', utm_source: 'poster', idempotencyKey: 'row-1' }],
    dryRun: true,
  },
  editLink: { destination: '/products/43', tags: ['autumn'], expiresAt: null },
  editLinks: { ids: [link.id], addTags: ['autumn'], utm: { campaign: 'autumn' } },
  createUtmTemplate: { name: 'Newsletter', utm: { source: 'newsletter', medium: 'email' } },
  changeUtmTemplate: { utm: { source: 'newsletter', medium: 'email', campaign: 'autumn' } },
  createChannel: { kind: 'slack', name: 'Team chat', target: 'https://hooks.slack.com/services/T0/B0/x7k2m9qd' },
  renameChannel: { name: 'Growth team' },
  confirmChannel: { code },
  createReport: { name: 'Weekly figures', every: 'week', day: 1, hour: 9, channelIds: [channel] },
  changeReport: { paused: true },
  createAlert: {
    ...{ name: 'Restored links fall', metric: 'restores', rule: 'fall', bound: 50, window: '3h' },
    channelIds: [channel],
  },
  changeAlert: { bound: 60 },
  snoozeAlert: { hours: 24 },
  replayDeadLetters: { group: 'landfall.attribution' },
};

/** The answers of the routes for apps. */
export const replyExamples: Record<string, object> = {
  createLink: { link: { ...link, destination, metadata: { ...metadata, ...added } } },
  createLinks: {
    outcomes: [
      {
        success: true,
        link: {
          ...link,
          destination: '/products/42',
          metadata: { ...metadata, ...added, destination_full: '/products/42' },
        },
      },
      {
        success: false,
        code: 'INVALID_REQUEST',
        error: 'The request is not valid.',
        details: [{ path: 'destination', message: 'Required' }],
      },
    ],
    created: 1,
    failed: 1,
  },
  getLinkBySlug: {
    link: { id: link.id, slug: link.slug, destination_web_url: destination, ...found },
  },
  recordHeartbeat: { isFirstLaunch: true },
  restoreLinks: {
    restoredLinks: [
      {
        pendingLinkId,
        pending_link_id: pendingLinkId,
        originalUrl: link.url,
        original_url: link.url,
        destination_url: destination,
        ...found,
        linkId: link.id,
        link_id: link.id,
        matchType: 'address',
        matchedAt: '2026-11-20T09:41:07.512Z',
      },
    ],
    count: 1,
    message: 'Restored 1 pending links',
  },
  storePendingLink: { pendingLinkId },
  checkDevice: {
    app: {
      hosts: ['shop.go.example.com', 'open-shop.go.example.com'],
      ios: { appId: 'ABCDE12345.com.example.shop' },
      android: { package: null, certificates: [] },
    },
    device: {
      heartbeatSecondsAgo: 12,
      restore: { secondsAgo: 11, found: 1, why: 'a tap at the address of this device' },
    },
  },
  registerDevice: {},
  recordOpen: {},
  unregisterDevice: {},
  sendPush: { notificationId: notification, status: 'sending', targeted: 2 },
};
