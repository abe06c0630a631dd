/**
 * The words that people search, and those of the documentation for them. They are replaced in this order, so a special one
 * stands before a general one.
 */
const MEANT: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(?:get(?:ting)? started|quick ?start|tutorial)\b/g, 'your first app'],
  [
    /\bself[- ]?host\w*|\b(?:how (?:to|do i) )?install\w* (?:landfall|docker|it|the server|locally)\b|\bhow (?:to|do i) install\b/g,
    'docker compose start',
  ],
  [/^install(?:ation|ing)?$/g, 'docker compose start'],
  [
    /\b(?:set(?:ting)? ?up|enable|configure) push\w*(?: notifications?)?\b|\bpush (?:notifications? )?set ?up\b/g,
    'push credentials',
  ],
  [/\bpush\w* (?:notifications? )?(?:is |was )?not (?:receiv|arriv|deliver|work)\w*/g, 'push arrive'],
  [/^(?:count |unique |how many )*(?:click|visitor)s?$/g, 'analytics metrics'],
  [/\blinks? (?:does ?n[o'’]?t|do not|not|never) open\w*(?: the| my)? app\b/g, 'system open app'],
  [/\bssl(?: certificates?)?\b/g, 'https'],
  [/\bauth(?:entication)?(?: api)?\b/g, 'kinds of keys'],
  [/\bexport\w* (?:data|figures|analytics)\b/g, 'ask figures csv'],
  [/\bwrong (?:person|user|device|link)\b.*/g, 'evidence worth'],
  [/\breferral programs?\b/g, 'referrals'],
  [/\binstall referrer\b/g, 'four tiers'],
  [/\b(kotlin|swift|flutter|react native|node) sdk\b/g, '$1'],
  [/\bdata retention\b/g, 'retention'],
  [/\btest\w* on (?:a |the )?(?:simulator|emulator)\b/g, 'build of your own app'],
  [/\bsign(?:ing)? ?up\b/g, 'first owner'],
  [/\b(?:sign|log)(?:ging|ing)? ?out\b/g, 'sessions'],
  [/\bandroid sdk\b/g, 'landfall kotlin'],
  [/\bios sdk\b/g, 'landfall swift'],
  [/\b(?:web|browser) sdk\b/g, '@landfall/web'],
  [/\bsdks?\b|^javascript$/g, 'clients'],
  [/^(?:what is a )?deep ?links?$/g, 'add landfall app'],
  [/^how (?:it|this|landfall|does (?:it|this|landfall)) works?$/g, 'matching device gets link'],
  [/^how (?:do|does) (?:a |the )?(.+) work$/g, '$1'],
  [/\btest\w* on (?:a |my )?(?:real )?(?:device|phone)\b/g, 'real phone'],
  [/\bfallback (?:url|page)s?\b/g, 'webFallbackUrl'],
  [/\bredirect\w* desktop\w*(?: users)?\b/g, 'desktop'],
  [/\brestores? (?:(?:is |are |does |do )?not work\w*|(?:is |are )?empty|fail\w*)\b/g, 'why restore give nothing'],
  [/\bevents? schema\b/g, 'form of a record'],
  [/\bkafka topics?\b/g, 'public topics'],
  [/\bmatch\w* accuracy\b|\baccuracy\b/g, 'evidence worth'],
  [/\bgeo[- ]?(?:location|ip)\b/g, 'country'],
  [/\b(?:ios|android|app|sdk) (?:set ?up|integration)\b|\bintegrat\w+\b/g, 'add landfall app'],
  [/\b(?:(?:deep|universal|app) ?)?links? (?:is |are |does |do )?not work\w*/g, 'try a link'],
  [/\b(?:universal|app) links?\b/g, 'system open app'],
  [/\b(?:does ?n[o'’]?t|do not|not|never) open(?:s|ing)?\b/g, 'real phone'],
  [/\b(?:custom|short|own|vanity) (?:link |url )?slugs?\b/g, 'make link short address'],
  [/\b(?:creat\w+|new|add\w*|short) (?:a )?links?\b|\bshorten\w*(?: a)? (?:url|link)s?\b/g, 'make a link'],
  [/\b(?:edit|renam|chang)\w* (?:a |the |my )?links?\b/g, 'one link edit'],
  [/\butm (?:param\w*|tags?|codes?)\b/g, 'campaign utm values'],
  [/\bconversions?(?: track\w+)?\b/g, 'funnel'],
  [/\bopens? (?:in |the |a )*browser\b.*/g, 'system open app'],
  [/\bdeferred deep ?links?(?:ing)?\b|\battribution\b/g, 'matching'],
  [/\bnotifications?\b/g, 'push'],
  [/\bapns (?:certificate|key)s?\b/g, 'push credentials'],
  [/\b(?:add|invit)(?:ing|e)? (?:a )?(?:member|person|people|user|teammate|colleague)s?\b/g, 'invite person'],
  [/\b(?:teammate|colleague|co-?worker)s?\b/g, 'person'],
  [/\b(?:2fa|mfa|two[- ]?(?:factor|step)\w*)\b/g, 'second factor'],
  [/\b(?:forg[eo]t\w*|lost|reset\w*|chang\w+) (?:my |the |a )?password\b/g, 'new password sign-in page'],
  [/\blog ?in\b/g, 'sign in'],
  [/\be?mails? (?:not|never) \w+/g, 'email smtp'],
  [/\b(?:updat|upgrad)\w+(?: landfall)?\b/g, 'upgrades'],
  [/\b(?:roll(?:ing)? ?back|downgrad\w+)\b/g, 'go back version'],
  [/\bhow many \w+ can\b.*/g, 'capacity model'],
  [/\bhealth ?checks?\b/g, 'endpoints'],
  [/\btrouble ?shoot\w*/g, 'doctor'],
  [/\bk8s\b/g, 'kubernetes'],
  [/\b(?:gdpr|privacy)\b/g, 'personal data'],
  [/\bshortio\b/g, 'short.io'],
];

/** Returns the words in those of the documentation. */
export const inOurWords = (words: string): string =>
  MEANT.reduce((text, [said, meant]) => text.replace(said, meant), words.toLowerCase());

const FILLERS = new Set(
  'a an and are can do does for from how i in is it my no not of on or the this to what when where why with'.split(' '),
);

/** Whether a word says nothing of what somebody searches. */
export const isFiller = (word: string): boolean => FILLERS.has(word);
