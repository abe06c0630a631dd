// The messages that the console answers and listens to. Gateways ask for what they need of keys and apps.
import { type Bus, each } from '@landfall/bus';
import {
  type App,
  ClientCalled,
  FindApp,
  FindHost,
  FindKey,
  FindLogo,
  KeyUsed,
  SessionUsed,
  TokenUsed,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { accountRepository } from './account-repository.ts';

const KEY_UNKNOWN = { refusal: { code: 'KEY_UNKNOWN', facts: {} } } as const;
const LOGO_NOT_FOUND = { refusal: { code: 'LOGO_NOT_FOUND', facts: {} } } as const;

const appOrNot = (app: App | undefined) =>
  app ? { reply: { app } } : { refusal: { code: 'APP_NOT_FOUND' as const, facts: {} } };

export function consoleService({ bus, database }: { bus: Bus; database: Database }): void {
  const { apps, clients, keys, sessions, tokens } = accountRepository(database);

  bus.answer(FindKey, async (batch) => {
    const found = await keys.find(batch.map(({ data }) => data.hash));
    return batch.map(({ data }) => {
      const key = found.get(data.hash);
      return key ? { reply: key } : KEY_UNKNOWN;
    });
  });
  bus.answer(FindApp, async (batch) => {
    const found = await apps.find(batch.map(({ data }) => data.appId));
    return batch.map(({ data }) => appOrNot(found.get(data.appId)));
  });
  bus.answer(FindHost, async (batch) => {
    const found = await apps.findHosts(batch.map(({ data }) => data.host));
    return batch.map(({ data }) => appOrNot(found.get(data.host)));
  });
  bus.answer(
    FindLogo,
    // Whichever app has it.
    each(async ({ hash }) => {
      const logo = await database.prisma.logo.findFirst({ where: { hash }, select: { image: true } });
      return logo ? { reply: { image: Buffer.from(logo.image).toString('base64') } } : LOGO_NOT_FOUND;
    }),
  );

  // The group is named after the tables. Under another name it would read every event of the topics once more.
  bus.listen('account', KeyUsed, (batch) =>
    keys.noteUsed(
      batch.map(({ data: { keyId, requests = 1 }, context: { id, now } }) => ({
        messageId: id,
        id: keyId,
        at: now,
        requests,
      })),
    ),
  );
  bus.listen('account', ClientCalled, (batch) =>
    clients.note(batch.map(({ data, context }) => ({ ...data, at: context.now }))),
  );
  bus.listen('account', TokenUsed, (batch) =>
    tokens.noteUsed(batch.map(({ data, context }) => ({ id: data.tokenId, at: context.now }))),
  );
  bus.listen('account', SessionUsed, (batch) =>
    sessions.noteUsed(batch.map(({ data, context }) => ({ id: data.sessionId, at: context.now }))),
  );
}
