// What a person without a mouse does.
import type { Locator } from 'playwright-core';

/** A page has fewer controls than this. */
const MOST_TABS = 200;

/**
 * Moves the focus to an element as a person without a mouse does: with Tab, forwards, from where the focus is. Fails when
 * Tab never reaches it.
 */
export async function tabTo(element: Locator): Promise<void> {
  const page = element.page();
  // Roles and names of all elements are computed each time that it is looked for. A key draws most elements anew in place.
  let node = await element.elementHandle();
  const hasFocus = () => node?.evaluate((node) => (node.isConnected ? node === document.activeElement : undefined));
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    let found = await hasFocus();
    if (found === undefined) {
      node = await element.elementHandle();
      found = await hasFocus();
    }
    if (found) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}`);
}

/** Waits until an element has the focus. A window moves the focus a moment after it is there: until then, keys go elsewhere. */
export async function untilFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Reaches an element with Tab, and presses a key there. */
export async function tabAndPress(element: Locator, key = 'Enter'): Promise<void> {
  await tabTo(element);
  await element.page().keyboard.press(key);
}

/** A list has fewer options than this. */
const MOST_OPTIONS = 50;

/**
 * Moves in an open list until an option is marked, and chooses it. How many keys that takes depends on the moment of the
 * first one: before the list is drawn, it begins at the other end.
 */
export async function moveAndChoose(option: Locator, key: 'ArrowUp' | 'ArrowDown'): Promise<void> {
  await option.waitFor();
  const { keyboard } = option.page();
  // A mark of the key that opened the list does not count: Enter may choose nothing then.
  for (let keys = 0; keys < MOST_OPTIONS; keys++) {
    await keyboard.press(key);
    if ((await option.getAttribute('data-combobox-selected')) !== null) return keyboard.press('Enter');
  }
  throw new Error(`${key} does not reach ${option}`);
}
