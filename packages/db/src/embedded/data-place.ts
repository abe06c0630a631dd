// Where the data of a folder are: in it, or, when root starts Landfall in a folder that only root can enter, elsewhere. Then
// the place knows its folder, because a copy of the folder leads to the same place.
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type DataFolderLock, identityOf, lockDataFolder } from './data-folder-lock.ts';
import { canEnter, elsewhere, makeElsewhere, type RunAs } from './embedded-binaries.ts';

export interface DataPlace {
  /** The real path of the folder with the data. */
  home: string;
  /** The lock of a place elsewhere: the lock of the folder does not keep a copy of the folder out. */
  lock?: DataFolderLock;
}

/**
 * Finds the place of the data of `dir`, and makes one for a first start. If PostgreSQL's user cannot enter the parent of
 * `dir`, it contains a link named `moved` to the place. Throws a sentence when there was a database that is not there
 * now: an empty one in its stead would look like a loss of all data.
 * @param create false: there must be a database
 */
export function placeOf(dir: string, as: RunAs, create: boolean): DataPlace {
  const link = path.join(dir, 'moved');
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (found) {
    if (!found.isSymbolicLink())
      throw new Error(`${link} must be a link to the place of the data, and it is not: ${RESTORE_INSTEAD(link)}`);
    return moved(dir, link);
  }
  const isEmpty = !existsSync(path.join(dir, 'data'));
  if (isEmpty && !create) throw new Error(`There is no database in ${dir}, and there was one: ${RESTORE_INSTEAD()}`);
  if (isEmpty) assertNeverMade(dir, dir);
  const reachable = canEnter(path.dirname(dir), as);
  if (!isEmpty && !reachable)
    throw new Error(
      `PostgreSQL runs as another user, who cannot enter ${path.dirname(dir)}, and its data are there: let others enter that folder and those above it (chmod o+x).`,
    );
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return reachable ? { home: owned(dir, as) } : makeMoved(dir, link, as);
}

const RESTORE_INSTEAD = (link?: string) =>
  `put it back, or restore a backup (${link ? `delete ${link}, then ` : ''}npm run landfall -- restore FILE). If the data are in a PostgreSQL of your own, set DATABASE_URL. To begin anew, set LANDFALL_DATA to another folder.`;

/** The password of the role is written when the database is there, and never before. */
function assertNeverMade(home: string, dir: string): void {
  if (existsSync(path.join(home, 'role-password')))
    throw new Error(
      `The database of ${dir} is not in ${home}, where it was: ${RESTORE_INSTEAD(home === dir ? path.join(dir, 'role-password') : path.join(dir, 'moved'))}`,
    );
}

function owned(home: string, as: RunAs): string {
  if (as.uid !== undefined && as.gid !== undefined) chownSync(home, as.uid, as.gid);
  return realpathSync(home);
}

function makeMoved(dir: string, link: string, as: RunAs): DataPlace {
  makeElsewhere();
  const home = path.join(elsewhere, `data-${randomBytes(6).toString('hex')}`);
  mkdirSync(home, { mode: 0o700 });
  owned(home, as);
  const lock = lockDataFolder(home);
  writeFileSync(path.join(home, FOLDER), JSON.stringify(identityOf(dir)));
  symlinkSync(home, link);
  return { home, lock };
}

const FOLDER = 'folder';

function moved(dir: string, link: string): DataPlace {
  const home = readlinkSync(link);
  if (!existsSync(home))
    throw new Error(`The data of ${dir} were in ${home}, and that folder is not there: ${RESTORE_INSTEAD(link)}`);
  const lock = lockDataFolder(home);
  try {
    if (!existsSync(path.join(home, 'data'))) assertNeverMade(home, dir);
    assertOwn(home, dir, link);
    return { home: realpathSync(home), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A folder that was moved on its disk is the same one. A copy is another one, also at the same path. */
function assertOwn(home: string, dir: string, link: string): void {
  const file = path.join(home, FOLDER);
  const mine = identityOf(dir);
  // An earlier version has made the place.
  const named = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof mine) : mine;
  if (named.inode !== mine.inode)
    throw new Error(
      `The data in ${home} belong to the folder ${named.path}, and ${dir} is a copy of it, which holds no data: restore a backup (delete ${link}, then npm run landfall -- restore FILE). If that folder is gone for good and this one takes its place, delete ${file}.`,
    );
  writeFileSync(file, JSON.stringify(mine));
}
