// A process that sends the messages that are due, for tests that end it. Its argument holds the settings, DATABASE_URL
// and NOW of the test.
import { connect } from '@landfall/db';
import { createSealer } from '@landfall/runtime';
import { testLogger } from '@landfall/testkit';
import { accountRepository } from '../account-repository.ts';
import { consoleConfig } from '../config.ts';
import { createMailer } from '../mail/mailer.ts';
import { mailOf } from '../mail/settings.ts';
import { deliverDue } from './deliver.ts';

const given = JSON.parse(process.argv[2]!) as Record<string, string>;
const config = consoleConfig(given);
const log = testLogger();
const account = accountRepository(connect({ url: given.DATABASE_URL!, max: 2 }));
const mailer = createMailer(mailOf(config)!, { host: 'api.test', log });
const now = () => new Date(Number(given.NOW));
await deliverDue({ account, config, log, mailer, now, sealer: createSealer(config.SEAL_SECRET) });
