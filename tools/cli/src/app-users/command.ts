import { emailHash, StartError } from '@landfall/runtime';
import { type AddCommand, whileOpen } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { readSetup } from '../doctor/facts/setup.ts';
import { facts } from '../table.ts';
import { appUserRepository } from './app-user-repository.ts';

const ABOUT = `
Deletes, in all apps, what is stored under the email: pending links, restores, and the push tokens of the person's devices. It
needs DATABASE_URL, and the HASH_SECRET of the gateways, because only hashes of emails are stored. Beside npm start and with
docker compose run --rm landfall it finds both by itself. It cannot be undone. A second call finds nothing.`;

/** The places that no command reaches, and when their data end. */
const REST = [
  'This stays, and ends by itself or has to be deleted by you:',
  '- Kafka: commands with the hash for KAFKA_COMMAND_HOURS (24), dead letters for KAFKA_DEAD_LETTER_HOURS (90 days).',
  '- Dead letters of npm start: KEEP_DEAD_LETTER_DAYS (90 days).',
  '- Analytics: events and counts without the email. A device is in them as half of a hash.',
  '- Devices with a fingerprint: the hash of the fingerprint, without the email.',
  '- Firebase and Apple: pushes that were sent.',
  '- Links, their metadata and texts of pushes: what the app itself wrote there.',
  '- Backups: everything, until they are deleted. After a restore, run this again.',
];

export const addAppUsers: AddCommand = (program, { env, print }) => {
  const command = program
    .command('app-users')
    .description('Delete what is stored of a person who uses an app.')
    .helpCommand(false);
  const action = command
    .command('delete')
    .description('Deletes everything that is stored under an email, and lists what stays elsewhere.')
    .requiredOption('--email <email>', 'the email or id, as the app sends it')
    .option('--json', 'show the numbers as JSON')
    .addHelpText('after', ABOUT);
  action.action(async ({ email, json = false }: { email: string; json?: boolean }) => {
    if (email.trim() === '') action.error('--email is empty');
    const { databaseUrl, hashSecret, faults } = readSetup(env);
    if (faults.length > 0) throw new StartError(faults[0]!.says);
    if (hashSecret === undefined)
      throw new StartError(
        'HASH_SECRET is not set: emails are stored as hashes under it. Set the one of the gateways.',
      );
    const url = databaseUrl ?? databaseUrlOf(env, 'There is no database to delete from: set DATABASE_URL');
    const deleted = await whileOpen(appUserRepository(url), (users) =>
      users.deleteEmail(emailHash(hashSecret, email), new Date()),
    );
    if (json) print(JSON.stringify({ deleted, stays: REST.slice(1) }, null, 2));
    else print(['Deleted or emptied rows:', ...facts(deleted), '', ...REST].join('\n'));
  });
};
