// The result of a tap, in a few words. The rule and the steps say why.
import type words from '../../words/en.json';

export type ResultWord = keyof typeof words.try.results;

interface Told {
  opensApp: boolean;
  link: { destination: string };
  answer: { url: string | null; page: string | null };
}

const PAGES: Readonly<Record<string, ResultWord>> = {
  gone: 'gone',
  'ask-touch': 'askTouch',
  desktop: 'desktop',
  preview: 'preview',
};

/** Returns the word of the result, and the place that it names: a path of the app or a host. */
export function resultOf({ opensApp, link, answer: { url, page } }: Told): { word: ResultWord; place: string } {
  const of = (word: ResultWord, place = '') => ({ word, place });
  if (opensApp) return of('app', link.destination);
  if (url !== null) {
    const { protocol, hostname, pathname } = new URL(url);
    if (pathname.startsWith('/simulated-app')) return of('simulated');
    if (protocol === 'market:' || hostname === 'play.google.com') return of('play');
    if (hostname === 'apps.apple.com' || hostname === 'itunes.apple.com') return of('apple');
    return of('web', hostname || url);
  }
  return of(page === null ? 'nothing' : (PAGES[page] ?? 'buttons'));
}
