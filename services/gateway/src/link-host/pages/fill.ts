// Puts values into the place holders of a text.
import { type Html, html } from './html.ts';

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
