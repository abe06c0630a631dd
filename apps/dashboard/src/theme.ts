import {
  type AlertProps,
  type AnchorProps,
  type BadgeProps,
  type ComboboxProps,
  type CSSVariablesResolver,
  createTheme,
  type ModalProps,
  type NavLinkProps,
  type NotificationProps,
  type SegmentedControlProps,
  type SelectProps,
  type TableScrollContainerProps,
  type TextProps,
} from '@mantine/core';
import 'virtual:words/window';
import { words } from './words/words.ts';

const closeButtonProps = { 'aria-label': words.window.close };

/** Props that a component has wherever nothing else is said. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

/** The shades give each text the contrast of WCAG 2.2 AA, in light and in dark mode. The default shades do not. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.25,
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
  // Components are named, not imported: the first page loads only those that it shows.
  components: {
    // A box that informs is a note. One that tells of a failure or an outcome names its role, so that it is read out.
    Alert: {
      ...defaults<AlertProps>({ variant: 'outline', role: 'note' }),
      styles: { title: { color: 'var(--mantine-color-text)' } },
    },
    Anchor: defaults<AnchorProps>({ size: 'md' }),
    // A badge is as wide as its text, in narrow columns too, and does not shout.
    Badge: defaults<BadgeProps>({ miw: 'max-content', tt: 'none' }),
    // A list that nobody has opened would be built with each page.
    Combobox: defaults<ComboboxProps>({ keepMounted: false }),
    // The header of a window is not the header of the page.
    Modal: defaults<ModalProps>({ attributes: { header: { role: 'none' } }, closeButtonProps }),
    NavLink: defaults<NavLinkProps>({ variant: 'filled', py: 4 }),
    Notification: defaults<NotificationProps>({ closeButtonProps }),
    // A long value takes several lines, so that all of it can be read.
    Pill: {
      styles: {
        root: {
          // By itself it has no width of its own, and a text that may break anywhere would have a letter in each line.
          flex: '0 1 auto',
          height: 'auto',
          minHeight: 'var(--pill-height)',
          lineHeight: 1.4,
          backgroundColor: 'var(--mantine-color-default-hover)',
        },
        label: { whiteSpace: 'normal', overflowWrap: 'anywhere', height: 'auto' },
        // The cross has a width in percent: without one around it, it counts as 300 pixels.
        remove: { flex: 'none', width: '2em' },
      },
    },
    SegmentedControl: defaults<SegmentedControlProps>({ transitionDuration: 0 }),
    // A choice that may be none says so.
    Select: defaults<SelectProps>({ allowDeselect: false }),
    // A wide table can be scrolled with the keyboard.
    TableScrollContainer: defaults<TableScrollContainerProps>({ scrollAreaProps: { viewportProps: { tabIndex: 0 } } }),
    // The text that introduces a page is larger.
    Text: defaults<TextProps>({ size: 'sm' }),
  },
});

/** The same for small, faint and red text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--landfall-rise': '#1b6e31',
  },
  dark: {
    // The usual one looks like text that is disabled.
    '--mantine-color-text': 'var(--mantine-color-gray-1)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--landfall-rise': 'var(--mantine-color-green-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
});
