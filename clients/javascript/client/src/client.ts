// The client: starts, users and consent. The steps are those of behaviour.md, in its order.
import type { CoreOptions, CreatedLink, Landfall } from './landfall.ts';
import { fieldsOf, type Link, linkOf, textOf } from './link.ts';
import { Core } from './parts/core.ts';
import { diagnose } from './parts/diagnose.ts';
import { Opening } from './parts/opening.ts';
import { Pushes } from './parts/push.ts';
import { Reporting } from './parts/reporting.ts';
import { LandfallError, orThrow } from './parts/transport.ts';
import { bounded, type System } from './system.ts';

/** Milliseconds. */
const START_MS = 3_000;
const PATIENCE_MS = 1_000;

/**
 * Makes a client for a platform. Sends nothing.
 * @param system what the platform gives
 * @throws {TypeError} if `url`, `key` or `hosts` is missing or wrong
 */
export function createClient(options: CoreOptions, system: System): Landfall {
  const core = new Core(options, system);
  const { store, inbox } = core;
  const opening = new Opening(core);
  const reporting = new Reporting(core, opening);
  const push = new Pushes(core);

  let started: Promise<Link | null> | undefined;
  /** Steps 1 to 3 of the start. Says whether they had a link. */
  let prepared: Promise<boolean> | undefined;
  /** Steps 5 to 8 of the start: first the evidence, then what is sent. */
  let collected: Promise<void> | undefined;
  let sent: Promise<unknown> | undefined;
  let endStart = (_link: Link | null) => {};

  function start(): Promise<Link | null> {
    started ??= new Promise((resolve) => {
      const end = system.timer(START_MS, () => endStart(null));
      endStart = (link) => {
        end();
        resolve(link);
      };
      inbox.onDelivery = endStart;
      if (inbox.last) endStart(inbox.last);
      prepared = prepare();
      void core.quiet(
        prepared.then(async (hadLink) => {
          if (core.allowed()) void send(hadLink);
          await (opening.last ?? sent);
          endStart(null);
        }),
      );
    });
    return started;
  }

  async function prepare(): Promise<boolean> {
    system.links?.((url) => opening.open(url));
    await core.device();
    let url: string | null | undefined;
    let isLate = false;
    const askFor = async () => {
      url = await system.initialLink?.();
      if (isLate && url) opening.open(url);
    };
    await bounded(system, PATIENCE_MS, askFor());
    isLate = true;
    if (url) opening.open(url);
    return opening.last !== undefined || (await inbox.again()) !== null || opening.openAgain();
  }

  /** @param hadLink whether a link is in the place of the restore */
  function send(hadLink: boolean): Promise<unknown> {
    sent ??= core.quiet(
      (async () => {
        const { era } = core;
        const opens = opening.count;
        collected = reporting.collect();
        await collected;
        if (!core.allowed()) sent = undefined;
        if (!core.allowed() || core.era !== era) return;
        void core.quiet(reporting.heartbeat());
        if (hadLink) reporting.countIn(core.user);
        const restored = !hadLink && core.quiet(reporting.restore('start', opens));
        push.catchUp();
        await restored;
        if (!hadLink) void core.quiet(reporting.restoreLate(opens));
      })(),
    );
    return sent;
  }

  /** Sends what a user changes, when the start is over. */
  async function sendUser(): Promise<void> {
    await started;
    await collected;
    const { user } = core;
    // Without consent all of it is sent later.
    if (!collected || !core.allowed()) return;
    if (user && !reporting.wasFor(user)) void core.quiet(reporting.restore('user', opening.count));
    await push.sync();
  }

  async function needConsent(): Promise<void> {
    await store.load();
    if (!core.allowed()) throw new LandfallError('NO_CONSENT', 'The person has not agreed: call consent(true) first.');
  }

  return {
    start,
    onLink: (listener) => inbox.listen(listener),
    get lastLink() {
      return inbox.last;
    },
    open: (url) => opening.open(url),
    isOurs: (url) => opening.isOurs(url),
    async resolve(url) {
      if (!opening.isOurs(url)) return null;
      await needConsent();
      const outcome = await core.ask(opening.questionOf(url));
      return outcome?.status === 404 ? null : linkOf(orThrow(outcome).link, 'direct', 'link');
    },
    async create(link) {
      await needConsent();
      const made = fieldsOf(orThrow(await core.ask({ path: '/api/links/create-sdk', body: { ...link } })).link);
      return textOf(made.url) === null ? (orThrow(null) as never) : (made as unknown as CreatedLink);
    },
    identify(user) {
      core.user = user;
      if (started) void core.quiet(sendUser());
    },
    push: {
      register: (token, given) => push.register(token, given),
      unregister: () => push.unregister(),
      opened: (data) => push.opened(data),
    },
    async consent(on) {
      await store.change((state) => {
        state.consent = on;
      });
      if (!on) void push.unregister();
      else if (prepared) void core.quiet(prepared.then(send));
    },
    diagnose: () => diagnose(core),
    async forget() {
      await store.load();
      const { push: registered, unregister } = store.state;
      core.era++;
      core.user = undefined;
      inbox.clear();
      push.clear();
      endStart(null);
      await store.clear();
      for (const deviceToken of [...unregister, ...(registered ? [registered.token] : [])]) {
        void core.ask({ path: '/api/push/unregister', body: { deviceToken } });
      }
    },
  };
}
