// The texts of the pages. A language without one of them, or a text without its place holder, does not compile.

/** A text with a place holder in braces. */
type With<Hole extends string> = `${string}{${Hole}}${string}`;

export interface Texts {
  /** Title and heading. `{app}` is the name of the app. */
  openInApp: With<'app'>;
  leadsIntoApp: string;
  getAppFirst: string;
  /** `{app}` is the app that shows the page inside itself. */
  inside: With<'app'>;
  insideAnother: string;
  /** The way out by hand. `{first}` and `{second}` are entries of the menu. */
  useMenu: With<'first'> & With<'second'>;
  /** The entry of a menu, as iOS and Android call it. `{browser}` is Safari or Chrome. */
  openInNamed: With<'browser'>;
  /** The entry of a menu, and our own button out of another app. */
  openInBrowser: string;
  openApp: string;
  getApp: string;
  /** By device and not by store, because an app may have its own page instead of the store's. */
  getAppFor: { apple: string; play: string; huawei: string; amazon: string };
  continueOnWeb: string;
  /** Said where the button to the store also copies the link. */
  copiesLink: string;
  /** The heading on a computer. */
  opensInApp: With<'app'>;
  scanOrOpen: string;
  qrCode: string;
  whereOpening: string;
  onIpad: string;
  onComputer: string;
  linkEnded: string;
  linkEndedWhy: string;
  noSuchLink: string;
  noSuchLinkWhy: string;
  nothingHere: string;
  nothingHereWhy: string;
  notPossible: string;
  notPossibleWhy: string;
  oneMoment: string;
  oneMomentWhy: string;
  tryAgain: string;
}
