import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { BackupError, backUp, restore } from '@landfall/db';
import { reasonOf, StartError } from '@landfall/runtime';
import { type AddCommand, whileOpen } from '../command.ts';
import { readBackupFile, STANDARD, writeBackupFile } from './backup-file.ts';
import { openForBackup, openForRestore, readFiles, stageFiles } from './installation.ts';

const WHERE = `
The database is that of DATABASE_URL, else the one of npm start in LANDFALL_DATA. Any PostgreSQL from 14 on will do, also another
version than the one that was backed up. "-" stands for standard input or output.`;

const BACKUP = `
It works while Landfall runs, and holds one moment. The file holds everything in the database and the secrets hash-secret and
seal-secret: keep it like a key. Nobody else may read it. A file that is there is replaced when the backup is complete.
${WHERE}`;

const RESTORE = `
Stop Landfall first. It replaces everything that the database holds of Landfall, and both secrets. It compares each table with the
backup before it keeps it. Whatever interrupts it, the database stays as it was.
${WHERE}`;

export const addBackup: AddCommand = (program, { env, print, note }) => {
  program
    .command('backup')
    .description('Write everything that an installation holds into a file.')
    .argument('<file>')
    .addHelpText('after', BACKUP)
    .action(async (file: string) => {
      const say = file === STANDARD ? note : print;
      const { files, missing } = readFiles(env);
      const installation = await openForBackup(env).catch(fails('There is no backup'));
      await whileOpen(installation, async ({ url }) => {
        let size = 0;
        const write = async (text: AsyncIterable<Buffer | string>) => {
          size = await writeBackupFile(file, text);
        };
        const held = await backUp({ url, files, now: new Date(), write }).catch(fails('There is no backup'));
        say(`Wrote ${shown(file)}: ${held.tables} tables with ${held.rows} rows, ${megabytes(size)}.`);
        if ('hash-secret' in files || 'seal-secret' in files) note('It holds secrets: keep it like a key.');
        if (missing.length > 0) note(`It does not hold ${missing.join(' and ')}: keep the values beside it.`);
      });
    });

  program
    .command('restore')
    .description('Put a backup in the place of what an installation holds.')
    .argument('<file>')
    .addHelpText('after', RESTORE)
    .action(async (file: string) => {
      if (file !== STANDARD) await access(file, constants.R_OK).catch(fails('Nothing was restored'));
      const installation = await openForRestore(env).catch(fails('Nothing was restored'));
      let staged: ReturnType<typeof stageFiles> | undefined;
      await whileOpen(installation, async ({ url }) => {
        const { at, tables, rows } = await restore({
          url,
          source: readBackupFile(file),
          onFiles(files) {
            staged = stageFiles(files, env);
            return staged.keep;
          },
        }).catch((error) => {
          staged?.remove();
          return fails('Nothing was restored, and the data are as they were')(error);
        });
        print(`Restored ${shown(file)} of ${at}: ${tables} tables with ${rows} rows, each compared with the backup.`);
        const toSet = staged?.toSet ?? [];
        if (toSet.length > 0)
          note(
            `${toSet.join(' and ')} in the environment is not the value of the backup: set it to that before a start.`,
          );
      });
    });
};

const fails =
  (what: string) =>
  (error: unknown): never => {
    if (error instanceof StartError) throw error;
    throw new StartError(`${what}: ${lowerFirst(reasonOf(error).replace(/\.?$/, '.'), error)}`);
  };

/** A message of the operating system begins with a code. */
const lowerFirst = (text: string, error: unknown) =>
  error instanceof BackupError ? `${text[0]!.toLowerCase()}${text.slice(1)}` : text;

const shown = (file: string) => (file === STANDARD ? 'the backup' : path.resolve(file));
const megabytes = (bytes: number): string => `${(Math.ceil(bytes / 1e5) / 10).toFixed(1)} MB`;
