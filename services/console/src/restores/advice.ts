// What would have found the tap of a start that got no link: one line of code or one setting. All of its words are here.
import type { App, ListRestores, ReplyOf } from '@landfall/contracts';
import { z } from 'zod';

type Restore = ReplyOf<typeof ListRestores>['restores'][number];
type Code = z.output<typeof Advice>['code'];

export const Advice = z.object({
  code: z
    .enum(['address', 'noTap', 'platform', 'installReferrer', 'storeVisit', 'clipboard', 'user'])
    .describe('The cause, or the evidence that was missing.'),
  text: z.string().describe('A sentence for people.'),
  line: z.string().nullable().describe('The line of code, or the setting. Null: there is none.'),
  place: z.string().nullable().describe('The file or the code where the line belongs. Null: there is no line.'),
  page: z.string().nullable().describe('The page of the documents, below `/docs/`.'),
});
export type Advice = z.output<typeof Advice>;

/** Null for a restore that found a link, and for rows of older versions, which do not tell what was sent. */
export function adviceFor(restore: Restore, app: Pick<App, 'clipboard'>): Advice | null {
  const { matchType, sent, hasAddress, near, considered, platform } = restore;
  if (matchType !== null || sent === null) return null;
  if (hasAddress === false) return advise('address');
  if (near.length === 0 && considered.length === 0) return advise('noTap');
  const client = kindOf(restore.client ?? '');
  if (platform === null) return advise('platform', client);
  if (platform === 'android') return advise(sent.installReferrer ? 'storeVisit' : 'installReferrer', client);
  if (!sent.clipboard) return advise('clipboard', client, app.clipboard ? '' : CLIPBOARD_OFF);
  return advise('user');
}

const TEXTS: Record<Code, string> = {
  address:
    'Landfall sees no address of a person, so only exact keys can find a tap. If a proxy stands before Landfall, name it in TRUST_PROXY.',
  noTap:
    'No phone tapped a link of this app in the 24 hours before. The person came without a link, or the tap opened a page that no install follows.',
  platform:
    'The client does not tell its platform. Send it, and with it the install referrer on Android, or the clipboard on an iPhone.',
  installReferrer:
    'The install referrer of Google Play names the tap, whatever the network. The restore came without it.',
  storeVisit:
    'The install referrer came, and named no tap of this app. So the person went to the store by another way than a link.',
  clipboard: 'The clipboard names the tap on an iPhone, whatever the network. The restore came without it.',
  user: 'If your web page knows the person, store the link for their email there, and send the email with the restore.',
};

const CLIPBOARD_OFF =
  ' Turn on the clipboard in the settings of the app, too: then the button to the App Store copies it.';

/** The lines of a client, by the beginning of its name. The last one is that of a client of your own. */
interface Kind {
  readonly client: RegExp;
  readonly page: string;
  readonly lines: Partial<Record<Code, string>>;
  /** Where these lines belong. */
  readonly place: string;
}
const REQUEST = 'the body of the restore request';
const FLUTTER =
  "final referrer = (await PlayInstallReferrer.installReferrer).installReferrer; // send it as 'installReferrer'";
const OWN: Kind = {
  client: /^/,
  page: 'guides/add-to-an-app',
  lines: {
    installReferrer: '"installReferrer": "<the whole referrer of the Install Referrer library>"',
    clipboard: '"clipboard": "<the text that the person pasted>"',
  },
  place: REQUEST,
};
const KINDS: readonly Kind[] = [
  {
    client: /^react-native\//,
    page: 'clients/javascript/react-native',
    place: 'the file of your app that calls configure(), mostly App.tsx',
    lines: {
      installReferrer:
        'configure({ …, application: Application }) // without Expo: installReferrer: PlayInstallReferrer',
      clipboard: 'configure({ …, clipboard: Clipboard })',
    },
  },
  {
    client: /^capacitor\//,
    page: 'clients/javascript/capacitor',
    place: 'the file of your app that calls configure(), mostly main.ts',
    lines: {
      installReferrer: 'configure({ …, installReferrer: () => readReferrer() })',
      clipboard: 'configure({ …, clipboard: Clipboard })',
    },
  },
  {
    client: /^landfall-(?:android|kotlin)\//,
    page: 'clients/kotlin',
    place: 'the dependencies of app/build.gradle.kts',
    lines: { installReferrer: 'implementation("com.android.installreferrer:installreferrer:2.2")' },
  },
  {
    client: /^swift\//,
    page: 'clients/swift',
    place: 'the file of your app that makes the client, mostly AppDelegate.swift or the App',
    lines: { clipboard: 'Options(…, clipboard: true)' },
  },
  {
    client: /^openlynk-flutter|^Dart\b/,
    page: 'guides/flutter',
    place: 'the Dart file that sends the restore',
    lines: {
      installReferrer: FLUTTER,
      clipboard: "await Clipboard.getData('text/plain'); // send its text as 'clipboard'",
    },
  },
  OWN,
];

const kindOf = (client: string): Kind => KINDS.find((kind) => kind.client.test(client)) ?? OWN;

const LINES: Partial<Record<Code, string>> = {
  address: 'TRUST_PROXY=<the address of your proxy>',
  platform: '"platform": "android"',
  user: '"userEmail": "ann@example.com"',
};
const PLACES: Partial<Record<Code, string>> = {
  address: 'the environment of Landfall',
  platform: REQUEST,
  user: REQUEST,
};
const PAGES: Partial<Record<Code, string>> = {
  address: 'operations',
  noTap: 'guides/try-a-link',
  user: 'guides/invite-by-email',
};

function advise(code: Code, { lines, page, place }: Kind = OWN, more = ''): Advice {
  const line = LINES[code] ?? lines[code] ?? null;
  return {
    code,
    text: TEXTS[code] + more,
    line,
    place: line === null ? null : (PLACES[code] ?? place),
    page: code === 'storeVisit' ? null : (PAGES[code] ?? page),
  };
}
