// The scripts of pages. Each page works without its script.
import { html } from './html.ts';

/** An iPad has more than one touch point. `replace` keeps this page out of the history. */
export const ASK_TOUCH = html`location.replace(document.getElementById(navigator.maxTouchPoints > 1 ? 'touch' : 'other').href);`;

/**
 * An app may ignore the exit without a word. When the page is still in front 1.5 seconds after the tap, the way by hand
 * gets the focus, so that people see it and screen readers read it.
 */
export const SHOW_MENU = html`document.getElementById('exit').addEventListener('click', () => {
const timer = setTimeout(() => document.getElementById('menu').focus(), 1500);
document.addEventListener('visibilitychange', () => document.hidden ? clearTimeout(timer) : 0, { once: true });
});`;

/** The button to the store copies a link, and leads on. Without a clipboard it only leads on. */
export const COPY_LINK = html`document.getElementById('copy').addEventListener('click', (event) => {
const { href, dataset } = event.currentTarget;
const leave = () => { location.href = href; };
if (!navigator.clipboard) return;
event.preventDefault();
navigator.clipboard.writeText(dataset.copied).then(leave, leave);
});`;

export const SHOW_MENU_AND_COPY = html`${SHOW_MENU}
${COPY_LINK}`;
