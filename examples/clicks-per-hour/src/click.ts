// Reads a click: a record of the topic `link.clicked`, CloudEvents 1.0 in binary mode.

/** Headers as kafkajs gives them: bytes, and a list where a name came twice. */
type Headers = Record<string, Buffer | string | (Buffer | string)[] | undefined>;

export interface Click {
  /** Names the tap. A tap that is told twice has the same id. */
  id: string;
  linkId: string;
  /** The hour of the tap in UTC, as ISO 8601, e.g. `2026-11-21T15:00:00.000Z`. */
  hour: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT/;
const HOUR_MS = 3_600_000;

/** Null for what is no click that can be counted. Headers and fields that it does not know are nothing to it. */
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

/** When the person tapped, which is not when the record was written: that may be later, while a broker is away. */
function hourOf(time: string): string | null {
  const ms = TIME.test(time) ? Date.parse(time) : Number.NaN;
  return ms > 0 ? new Date(ms - (ms % HOUR_MS)).toISOString() : null;
}
