import type { Texts } from './texts.ts';

export const de: Texts = {
  openInApp: 'In {app} öffnen',
  leadsIntoApp: 'Dieser Link führt zu einer Stelle in der App.',
  getAppFirst: 'Wenn Sie die App noch nicht haben, holen Sie sie zuerst.',
  inside: 'Sie sind in {app}. Dort öffnen Links andere Apps nicht von selbst.',
  insideAnother: 'Sie sind in einer anderen App. Dort öffnen Links andere Apps nicht von selbst.',
  useMenu:
    'Wenn sich nichts öffnet, suchen Sie das Menü oder die Teilen-Taste dieses Bildschirms und wählen Sie {first} oder {second}.',
  openInNamed: 'In {browser} öffnen',
  openInBrowser: 'Im Browser öffnen',
  openApp: 'In der App öffnen',
  getApp: 'App holen',
  getAppFor: {
    apple: 'App für iPhone und iPad holen',
    play: 'App für Android holen',
    huawei: 'App für Huawei holen',
    amazon: 'App für Amazon Fire holen',
  },
  continueOnWeb: 'Im Web fortfahren',
  copiesLink: 'Die Taste kopiert einen Link, damit die App ihn nach der Installation öffnet.',
  opensInApp: 'Dieser Link öffnet sich in {app}',
  scanOrOpen: 'Scannen Sie den Code mit Ihrem Smartphone oder Tablet, oder öffnen Sie dort diese Adresse:',
  qrCode: 'QR-Code dieses Links',
  whereOpening: 'Wo öffnen Sie diesen Link?',
  onIpad: 'Auf einem iPad',
  onComputer: 'Auf einem Computer',
  linkEnded: 'Dieser Link ist abgelaufen',
  linkEndedWhy: 'Er galt nur für begrenzte Zeit, oder sein Absender hat ihn zurückgezogen. Bitten Sie um einen neuen.',
  noSuchLink: 'Diesen Link gibt es nicht',
  noSuchLinkWhy:
    'Vielleicht fehlt ein Teil der Adresse. Versuchen Sie den Link noch einmal dort, wo Sie ihn gefunden haben.',
  nothingHere: 'Hier ist nichts',
  nothingHereWhy: 'Unter dieser Adresse hat keine App ihre Links.',
  notPossible: 'Das ist hier nicht möglich',
  notPossibleWhy: 'Einen Link kann man nur öffnen.',
  oneMoment: 'Einen Moment, bitte',
  oneMomentWhy:
    'Wir können diesen Link gerade nicht nachschlagen. Er ist nicht verloren: Versuchen Sie es in ein paar Sekunden noch einmal.',
  tryAgain: 'Noch einmal versuchen',
};
