// Makes HTML from templates. Every value is escaped, unless it is the result of such a template.

export type { Html };

/** Only this file makes it, so that no outside string counts as HTML. */
class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

type Value = Html | string | number | null | readonly Html[];

/**
 * Returns HTML. Values belong in text and in quoted attributes. Pass a URL through `href` first. Null becomes nothing.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += render(value) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

/** Takes markup that our own code made, without values from outside, or with values that it has checked. */
export const ownMarkup = (markup: string): Html => new Html(markup);

/** A text and its values in turn: `In `, `{app}`, ` öffnen`. */
const parts = (text: string): string[] => text.split(/(\{\w+\})/);

const named = (part: string): string | null => /^\{(\w+)\}$/.exec(part)?.[1] ?? null;

/** Fills a title. It holds text only. */
export const fillTitle = (text: string, values: Readonly<Record<string, string>>): string =>
  parts(text)
    .map((part) => values[named(part) ?? ''] ?? part)
    .join('');

/** Fills a text. The name of an app may run in another direction than the text, so it is isolated. */
export const fill = (text: string, values: Readonly<Record<string, string | Html>>): Html =>
  html`${parts(text).map((part) => {
    const value = values[named(part) ?? ''];
    if (value === undefined) return html`${part}`;
    return typeof value === 'string' ? html`<bdi>${value}</bdi>` : value;
  })}`;

/** Returns the normalised URL if it is http or https. Null for everything else, especially `javascript:`. */
export function href(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : null;
}

/** Schemes that lead out of another app. All URLs with them come from our table of exits. */
const OUTWARDS = /^(?:https?|x-safari-https?|intent|instagram|kakaotalk):$/;

/** Returns the normalised URL if it is http or https, or leads out of another app. */
export function exitHref(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed !== null && OUTWARDS.test(parsed.protocol) ? parsed.href : null;
}

function render(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.join('');
  return escaped(`${value}`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text. Control characters become spaces: no text needs them and HTML forbids them. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(CONTROL, ' ');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
