// The stored state of the client: one value, a JSON object. It is read once in a run, and written whole at each change.
import { fieldsOf, type LinkData, linkOf, matchOf, textOf } from '../link.ts';
import type { Storage } from '../system.ts';

const KEY = 'landfall';
/** Milliseconds. */
const SAME_INSTALL_MS = 60_000;

/** A link that was found, and not handled. */
export interface Waiting extends LinkData {
  /** When it was found, in milliseconds. */
  readonly at: number;
  deliveries: number;
}

export interface State {
  device: string | null;
  /** When the app was installed, in milliseconds. */
  installedAt: number | null;
  /** Milliseconds. */
  heartbeatAt: number | null;
  restored: boolean;
  /** The id that the gateway gave to the last restored link. It repeats an answer for some seconds. */
  restoredId: string | null;
  consent: boolean | null;
  waiting: Waiting[];
  unresolved: { readonly url: string; readonly at: number } | null;
  push: {
    readonly token: string;
    readonly options: Readonly<Record<string, unknown>>;
    /** The email of the user it was sent for. */
    user: string | null;
    /** When it was answered, in milliseconds. */
    at: number | null;
  } | null;
  unregister: string[];
  opened: { readonly notificationId: string; readonly deviceToken?: string }[];
}

export class Store {
  /** As it is stored. Read it after `load()`, and change it with `change()`. */
  state: State = stateOf(null);
  private readonly storage: Storage;
  private readonly installedAt: () => Promise<number | undefined>;
  private readonly problem: (sentence: string) => void;
  private loading: Promise<void> | undefined;
  private written: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, installedAt: () => Promise<number | undefined>, problem: (sentence: string) => void) {
    this.storage = storage;
    this.installedAt = installedAt;
    this.problem = problem;
  }

  load(): Promise<void> {
    this.loading ??= this.trying(async () => {
      const [text, installedAt] = await Promise.all([this.storage.getItem(KEY), this.installedAt()]);
      const found = stateOf(text);
      const known = found.installedAt ?? installedAt;
      // Another install wrote it: a backup brought it here.
      const isOthers = known !== undefined && Math.abs(known - (installedAt ?? known)) > SAME_INSTALL_MS;
      this.state = isOthers ? stateOf(null) : found;
      this.state.installedAt = installedAt ?? found.installedAt;
    });
    return this.loading;
  }

  /** Changes the state at once. The promise resolves when it is stored. It never rejects. */
  async change(edit: (state: State) => void): Promise<void> {
    await this.load();
    edit(this.state);
    const text = JSON.stringify(this.state);
    await this.write(() => this.storage.setItem(KEY, text));
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    await this.load();
    this.state = stateOf(null);
    await this.write(() => this.storage.removeItem(KEY));
  }

  /** One write after the other: storages do not promise their order. */
  private write(write: () => unknown): Promise<unknown> {
    this.written = this.written.then(() => this.trying(write));
    return this.written;
  }

  private async trying(what: () => unknown): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.problem(`The storage failed: ${String(error)}`);
    }
  }
}

/** Reads a stored value. What makes no sense counts as none. */
function stateOf(text: unknown): State {
  let found = fieldsOf(null);
  try {
    found = fieldsOf(JSON.parse(String(text)));
  } catch {
    // As at the first start.
  }
  const listOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : []);
  const push = fieldsOf(found.push);
  const unresolved = fieldsOf(found.unresolved);
  return {
    device: textOf(found.device),
    installedAt: timeOf(found.installedAt),
    heartbeatAt: timeOf(found.heartbeatAt),
    restored: found.restored === true,
    restoredId: textOf(found.restoredId),
    consent: typeof found.consent === 'boolean' ? found.consent : null,
    waiting: listOf(found.waiting).flatMap((entry) => {
      const direct = entry.via === 'direct';
      // A match is stored as it is delivered, and is read from an answer under other names.
      const match = entry.match === 'account' || entry.match === 'device' ? entry.match : matchOf(entry.match);
      const link = linkOf(entry, direct ? 'direct' : 'deferred', direct ? 'link' : match);
      const at = timeOf(entry.at);
      return link && at !== null ? [{ ...link, at, deliveries: timeOf(entry.deliveries) ?? 0 }] : [];
    }),
    unresolved:
      textOf(unresolved.url) !== null && timeOf(unresolved.at) !== null ? (unresolved as State['unresolved']) : null,
    push:
      textOf(push.token) === null
        ? null
        : {
            token: push.token as string,
            options: fieldsOf(push.options),
            user: textOf(push.user),
            at: timeOf(push.at),
          },
    unregister: Array.isArray(found.unregister) ? found.unregister.filter((token) => textOf(token) !== null) : [],
    opened: listOf(found.opened).filter((entry) => textOf(entry.notificationId) !== null) as State['opened'],
  };
}

const timeOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
