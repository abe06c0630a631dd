// Reads a click: a record of the topic `link.clicked`, CloudEvents 1.0 in binary mode.

/** Headers as kafkajs returns them: bytes, or a list when a header name occurs twice. */
type Headers = Record<string, Buffer | string | (Buffer | string)[] | undefined>;

export interface Click {
  /** The id of the tap. A redelivered message has the same id. */
  id: string;
  linkId: string;
  /** The hour of the tap in UTC, as ISO 8601, e.g. `2026-11-21T15:00:00.000Z`. */
  hour: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT/;
const HOUR_MS = 3_600_000;

/** Null: the record is not a click that can be counted. Ignores unknown headers and fields. */
export function toClick({ headers = {}, value }: { headers?: Headers; value: Buffer | null }): Click | null {
  const id = textOf(headers.ce_id);
  const linkId = fieldsOf(value).linkId;
  const hour = hourOf(textOf(headers.ce_time));
  if (textOf(headers.ce_type) !== 'LinkClicked' || !UUID.test(id) || hour === null) return null;
  if (typeof linkId !== 'string' || !UUID.test(linkId)) return null;
  return { id: id.toLowerCase(), linkId: linkId.toLowerCase(), hour };
}

const textOf = (header: Headers[string]): string => String((Array.isArray(header) ? header[0] : header) ?? '');

function fieldsOf(value: Buffer | null): Record<string, unknown> {
  try {
    return JSON.parse(String(value)) ?? {};
  } catch {
    return {};
  }
}

/** The timestamp of the record may be later than the tap, for example when a broker was down. */
function hourOf(time: string): string | null {
  const ms = TIME.test(time) ? Date.parse(time) : Number.NaN;
  return ms > 0 ? new Date(ms - (ms % HOUR_MS)).toISOString() : null;
}
