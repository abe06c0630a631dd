// The whole product in this process, on a database of its own.
import { consoleConfig, RulesConfig } from '@landfall/console';
import { createTestDatabase } from '@landfall/db/testing';
import { gatewayConfig } from '@landfall/gateway';
import { StandalonePushConfig } from '@landfall/push';
import { readConfig } from '@landfall/runtime';
import { startLandfall } from '@landfall/standalone';
import { inject } from 'vitest';
import { fakeClock } from '../clock.ts';
import { testLogger } from '../logger.ts';
import type { Ground } from './ground.ts';
import { quickPasswords } from './quick-passwords.ts';
import { KEEP, LINK_DOMAIN, OPEN, PUBLIC_URL } from './settings.ts';

export async function groundInProcess(env: Record<string, string>): Promise<Ground> {
  const database = await createTestDatabase(inject('databaseServerUrl'));
  const clock = fakeClock();
  const settings = {
    PORT: '0',
    PUBLIC_URL,
    LINK_DOMAIN,
    HASH_SECRET: 'a secret of thirty-two characters',
    SEAL_SECRET: 'another of thirty-two characters',
    ...env,
  };
  const landfall = await startLandfall({
    databaseUrl: database.url,
    gateway: gatewayConfig(settings),
    console: consoleConfig(settings),
    keep: KEEP,
    push: readConfig(StandalonePushConfig, env),
    rules: readConfig(RulesConfig, { ...OPEN, ...env }),
    log: testLogger(),
    bus: { clock, trusts: false },
    passwords: quickPasswords,
  });
  return {
    bus: landfall.bus,
    clock,
    databaseUrl: database.url,
    port: landfall.port,
    consolePort: landfall.port,
    portFor: () => landfall.port,
    sending() {},
    said() {},
    settled: () => landfall.settled(),
    async stop() {
      await landfall.stop();
      await database.drop();
    },
  };
}
