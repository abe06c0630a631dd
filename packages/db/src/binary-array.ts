// Writes arrays in the binary format of PostgreSQL. As text, both sides spend several times as long on them: the driver
// looks for characters to escape in each element, and the server reads the digits of each UUID, hash and time.

interface Values {
  uuid: string;
  text: string;
  json: string;
  jsonb: string;
  /** As text: base64url. */
  bytea: Buffer | string;
  /** As text: ISO 8601. */
  timestamptz: Date | string;
  /** ISO 8601. */
  date: string;
  smallint: number;
  int: number;
  bigint: number | bigint;
  boolean: boolean;
}

export type ColumnType = keyof Values;
export type ValueOf<Type extends ColumnType> = Values[Type];

interface Codec<Value> {
  /** The object id of the type in `pg_type`, the same in all versions. */
  readonly oid: number;
  /** The most bytes of a value. */
  room(value: Value): number;
  /** Returns how many bytes it wrote. Throws a RangeError for a value that the type does not have. */
  write(out: Buffer, value: Value, at: number): number;
}

const WORD = 2 ** 32;
const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

const utf8 = { room: (text: string) => text.length * 3, write: writeText };
const codecs: { readonly [Type in ColumnType]: Codec<Values[Type]> } = {
  uuid: { oid: 2950, room: () => 16, write: writeUuid },
  text: { oid: 25, ...utf8 },
  json: { oid: 114, ...utf8 },
  jsonb: {
    oid: 3802,
    room: (text) => 1 + utf8.room(text),
    // The version of the format comes first.
    write: (out, text, at) => 1 + writeText(out, text, out.writeInt8(1, at)),
  },
  bytea: {
    oid: 17,
    room: (bytes) => bytes.length,
    write: (out, bytes, at) => (typeof bytes === 'string' ? out.write(bytes, at, 'base64url') : bytes.copy(out, at)),
  },
  timestamptz: {
    oid: 1184,
    room: () => 8,
    write: (out, time, at) => writeTime(out, typeof time === 'string' ? Date.parse(time) : time.getTime(), at),
  },
  date: {
    oid: 1082,
    room: () => 4,
    write: (out, day, at) => out.writeInt32BE(whole((Date.parse(day) - EPOCH_MS) / DAY_MS), at) - at,
  },
  smallint: { oid: 21, room: () => 2, write: (out, n, at) => out.writeInt16BE(whole(n), at) - at },
  int: { oid: 23, room: () => 4, write: (out, n, at) => out.writeInt32BE(whole(n), at) - at },
  bigint: { oid: 20, room: () => 8, write: (out, n, at) => out.writeBigInt64BE(BigInt(n), at) - at },
  boolean: { oid: 16, room: () => 1, write: (out, is, at) => out.writeInt8(is ? 1 : 0, at) - at },
};

/** The number of dimensions, whether it has nulls, the type, the length and the first index: four bytes each. */
const HEADER = 20;
/** Of a value. */
const LENGTH = 4;
const NULL = -1;

/**
 * Returns an array as a parameter of a statement, which names its type: `$1::uuid[]`.
 * @throws RangeError when a value does not fit the type
 */
export function arrayOf<Type extends ColumnType>(type: Type, values: readonly (ValueOf<Type> | null)[]): Buffer {
  const { oid, room, write } = codecs[type];
  let most = HEADER;
  for (const value of values) most += value === null ? LENGTH : LENGTH + room(value);
  const out = Buffer.allocUnsafe(most);
  out.writeInt32BE(1, 0);
  out.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  out.writeInt32BE(oid, 8);
  out.writeInt32BE(values.length, 12);
  out.writeInt32BE(1, 16);
  let at = HEADER;
  for (const value of values) {
    const length = value === null ? NULL : write(out, value, at + LENGTH);
    out.writeInt32BE(length, at);
    at += LENGTH + Math.max(length, 0);
  }
  return at === most ? out : out.subarray(0, at);
}

function whole(n: number): number {
  if (!Number.isInteger(n)) throw new RangeError(`${n} is not a whole number`);
  return n;
}

/** Microseconds since 2000. Those of a far year have more digits than a number, so they are written in two halves. */
function writeTime(out: Buffer, ms: number, at: number): number {
  const since = whole(ms) - EPOCH_MS;
  const high = Math.floor(since / WORD);
  const low = (since - high * WORD) * 1_000;
  const carry = Math.floor(low / WORD);
  return out.writeUInt32BE(low - carry * WORD, out.writeInt32BE(high * 1_000 + carry, at)) - at;
}

/** Most texts are short and ASCII. A call of the runtime takes longer than to write their letters. */
const SHORT = 64;

function writeText(out: Buffer, text: string, at: number): number {
  const { length } = text;
  if (length > SHORT) return out.write(text, at);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return out.write(text, at);
    out[at + i] = code;
  }
  return length;
}

/** The value of each hexadecimal digit, by its code. */
const DIGITS = new Uint8Array(128).fill(255);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
/** Where the bytes of a UUID begin in its text. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);
const UUID_LENGTH = 36;

function writeUuid(out: Buffer, text: string, at: number): number {
  let wrong = text.length ^ UUID_LENGTH;
  for (let byte = 0; byte < 16; byte++) {
    const place = PLACES[byte]!;
    const first = text.charCodeAt(place);
    const second = text.charCodeAt(place + 1);
    const high = DIGITS[first & 127]!;
    const low = DIGITS[second & 127]!;
    wrong |= ((first | second) >> 7) | ((high | low) >> 4);
    out[at + byte] = (high << 4) | low;
  }
  if (wrong !== 0) throw new RangeError(`invalid uuid: ${text.slice(0, UUID_LENGTH)}`);
  return 16;
}
