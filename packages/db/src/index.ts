// PostgreSQL for the services: the connection, the tables, the migrations, and the embedded server.

export { backUp } from './backup/back-up.ts';
export { BackupError } from './backup/format.ts';
export { restore } from './backup/restore.ts';
export { arrayOf } from './binary-array.ts';
export { type ChangedOnce, changeOnce, type Refused } from './change-once.ts';
export { type Columns, type ColumnTable, columnsOf } from './columns.ts';
export { connect, type Database, type PrismaTransaction, type Sql, type SqlTransaction } from './database.ts';
export {
  countDeadLetters,
  deadLetterGroups,
  deadLetterSink,
  deleteDeadLettersBefore,
  dropDeadLetters,
  markReplayed,
  readDeadLetters,
} from './dead-letters.ts';
export { deleteInChunks, deleteOld, deleteRows, deletionAt, deletionOf, type OldRows } from './delete-old.ts';
export { lockDataFolder } from './embedded/data-folder-lock.ts';
export { type Embedded, startEmbedded } from './embedded/embedded.ts';
export { embeddedAvailable } from './embedded/embedded-binaries.ts';
export * from './generated/client.ts';
export { applyMigrations, type MigrationState, migrationState } from './migrate.ts';
export { type Fields, type Table, tableOf, toBytes, toText } from './table.ts';
export { isTransient } from './transient.ts';
