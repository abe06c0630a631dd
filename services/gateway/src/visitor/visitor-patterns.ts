// Patterns of user agents: bots, people whose browser looks like a bot, browsers inside apps, stores. It is data
// without decisions. Every repetition in a pattern is bounded, so that none is slow.

/** Headers that mark a prefetch. Facebook's app sends `X-Purpose: preview`. */
export const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
export const PREFETCH = /prefetch|prerender|preview/i;

/** A pattern must never match a person's browser: `TelegramBot`, not `Telegram`. */
export const BOTS = words(
  // Link previews. iMessage claims to be Facebook's and Twitter's bot on a Macintosh.
  'facebookexternalhit|facebookcatalog|facebot|meta-external|^whatsapp/|twitterbot|slackbot|slack-imgproxy|telegrambot',
  'discordbot|linkedinbot|skypeuripreview|microsoftpreview|microsoft-preview|bingpreview|pinterestbot|redditbot|vkshare',
  'embedly|iframely|kakaotalk-scrap|line-poker|snap url preview|^viber/|applebot|cardyb|bitlybot|flipboardproxy',
  'quora link preview|^tumblr/|^mastodon/|^http\\.rb/|nuzzel|outbrain|yahoo! slurp|ia_archiver|bufferlinkpreview',
  // Other bots of Google.
  'googlebot|google-inspectiontool|googleother|google-safety|google-site-verification|google-pagerenderer',
  'google-read-aloud|googleimageproxy|googleproducer|feedfetcher|adsbot|mediapartners-google|apis-google',
  'google favicon|google page speed|chrome-lighthouse',
  // Mail gateways and other scanners that open a link before its reader does. Office requests a link before it opens
  // it.
  'barracuda|proofpoint|urldefense|mimecast|safelinks|ms-office|msoffice|^microsoft office|microsoft url|trend ?micro',
  'fireeye|trellix|zscaler|forcepoint|fortiguard|fortimail|sophos|symantec|messagelabs|cloudmark|ironport|vadesecure',
  'ciscosecureemail|cisco umbrella|paloalto|virustotal|urlscan|phishtank|netcraft|hornetsecurity|safebrowsing',
  // Automated browsers.
  'headless|phantomjs|puppeteer|playwright|selenium|synthetic|pingdom|gtmetrix|uptimerobot|statuscake|catchpoint',
  // Programs that fetch, including apps and SDKs with their own HTTP client. They are tools, not taps of people.
  '^curl/|^wget|python-|python/|aiohttp|httpx|go-http-client|okhttp|^dart/|dalvik/|^java/|apache-http|axios|node-fetch',
  // Named in public lists of robots, and without a word that they have in common.
  'brandverity|hotjar|adbeat|nitro-optimizer|miniature\\.io|\\bYLT\\b|tsm-turingos',
  'undici|^node\\b|^got\\b|guzzle|^ruby|libwww|^perl|postman|insomnia|httpie|powershell|winhttp|^libcurl|^[\\w.-]{1,40}-sdk/|^swcd|cfnetwork/',
);

/**
 * Words that reveal a bot with a phone's user agent, whatever app it names. isbot has many more words (news, feed, url,
 * tools, agent), but those are in the names of apps whose browsers people use.
 */
export const PHONE_BOTS = words(
  'crawl|spider|slurp|https?:|\\(compatible;|; compatible;|scrap(?:e|y)|archiver|preview\\b|monitor\\b|fetcher|unfurl',
  'url ?downloader|(?:link|site|url) ?checker|validator|optimizer-agent',
);

/** The word bot, also at the end of a name. Phones of CUBOT are none. */
export const NAMED_BOT = /(?<!\bcu)(?:bots?(?:\b|_)|bot[/-])/i;

/** The model of an Android phone, after its version and perhaps a language. Some models contain the word bot. */
export const ANDROID_MODEL =
  /(Android [\d.]{1,12}; (?:[a-z]{2}[-_][A-Za-z-]{2,10}; )?)[\w .+()'-]{1,64}(?= Build\/|;|\))/;

/** The first words of a phone browser. */
export const PHONE_BROWSER = /Mozilla\/5\.0 \((?:iPhone|iPad|iPod|Linux; |Android |Phone; |Tablet; )/;

/** The beginning of a browser's user agent. Some apps put their own name before it. */
export const BROWSER = /^(?:Mozilla|Opera)\/\d|Mozilla\/5\.0 \(/;

/** Apps that open links inside themselves. The first match names the app. */
export const IN_APP: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Messenger', /FBAN\/Messenger|FB_IAB\/(?:Orca|MESSENGER)/],
  ['Threads', /\bBarcelona \d/],
  ['Instagram', /\bInstagram\b/],
  ['Facebook', /\bFBA[NV]\/|\bFB_IAB\/|\bMetaIAB\b/],
  ['WhatsApp', /\bWAiOS\/|\bWA4A\/|\bWhatsApp\b/],
  ['LinkedIn', /LinkedInApp/],
  ['X', /Twitter for i|TwitterAndroid/],
  ['TikTok', /musical_ly|\btrill_|BytedanceWebview|\bTikTok/],
  ['Snapchat', /Snapchat/],
  ['Pinterest', /\[Pinterest\//],
  ['Telegram', /\bTelegram(?:\b|-)/],
  ['LINE', /\bLine\/\d/],
  ['KakaoTalk', /KAKAOTALK|KAKAOSTORY/],
  ['WeChat', /MicroMessenger/],
  ['QQ', / QQ\/\d/],
  ['Weibo', /Weibo/i],
  ['NAVER', /NAVER\(inapp/],
  ['Daum', /DaumApps/],
  ['Google', /\bGSA\/|\bGoogleApp\/|\bGNews /],
  ['Gmail', /\bGmail\//],
  ['Outlook', /Outlook-(?:iOS|Android)\//],
  ['Teams', /TeamsMobile/],
  ['Yahoo', /YahooMobile|YJApp-/],
  ['Reddit', /\bReddit\//],
  ['Discord', /\bDiscord\//i],
  ['Slack', /\bSlack\/\d/],
  ['Viber', /\bViber\b/],
  ['VK', /\bVK(?:AndroidApp|iOSApp)|\bvkclient/],
  ['Zalo', /\bZalo/],
  ['Bing', /\bBingWeb\/|\bBingSapphire\//],
  ['Flipboard', /\bFlipboard\b/],
  ['Baidu', /baiduboxapp/],
  ['Alipay', /AlipayClient|AliApp\((?:AP|TB)/],
  ['DingTalk', /DingTalk/],
  ['Lark', /\bLark\//],
];

/** Browsers that use a web view or lack the word Safari. They are real browsers. */
export const WEB_VIEW_BROWSERS = words(
  'duckduckgo/|focus/|klar/|OPR/|OPT/|opera mini|OPiOS|UCBrowser|miuibrowser|vivobrowser|heytapbrowser|huaweibrowser',
  'samsungbrowser|yabrowser|ya(?:app|search)|quark/|mqqbrowser|puffin/|alohabrowser|brave|ecosia|rocket/|mint browser',
  'firefox/|fxios/|crios/|edgios/|edga/|silk|whale/|vivaldi|phoenix/|kiwi|maxthon|mercury/|coast/|oculusbrowser',
);

/** An Android web view names itself. Older ones only had `Version/4.0` before Chrome's own version. */
export const ANDROID_WEB_VIEW = /;\s?wv\)|\bVersion\/4\.0 Chrome\//;

/** Devices without a store that we support. Some also claim Android, iPhone, Windows or Linux. */
export const OTHER_DEVICES = words(
  'windows phone|iemobile|windows ce|kaios|tizen|web0s|webos|smart-?tv|smarthub|hbbtv|netcast|apple ?tv|crkey|roku',
  'bravia|googletv|android tv|nintendo|playstation|xbox|blackberry|\\bBB10|symbian|series[46]0|j2me|midp|\\bbada\\b',
  'kindle/\\d',
);

export const APPLE_MOBILE = /\b(?:iPhone|iPad|iPod)/;
/** With Macintosh these words appear only for an iPad, or for an iPhone that requests the desktop site. */
export const APPLE_MOBILE_AS_MAC = /\bMobile\/|CriOS\/|FxiOS\/|EdgiOS\/|OPiOS\/|\bGSA\//;

/** Fire tablets and Fire TV sticks, by browser and by model. */
export const AMAZON = /\bSilk[/-]|Kindle Fire|;\s?(?:KF[A-Z]{2,6}|AFT[A-Z0-9]{0,10})\b/;

/**
 * Huawei's own browser lists the services of the phone. Without Google's services the phone has no Play. Older phones
 * of Huawei, and those of Honor, have both or only Google's. Other browsers on a Huawei phone send nothing, so those
 * phones count as Android.
 */
export const HUAWEI = /HuaweiBrowser|HMSCore|HarmonyOS|OpenHarmony|ArkWeb/;
export const GOOGLE_SERVICES = /GMSCore/;

/** Android without a known store: Meta's headsets. */
export const NO_STORE = /OculusBrowser|;\s?Quest\b/;

/** Samsung's browser on Linux is a phone or tablet that requests the desktop site. */
export const ANDROID =
  /\bAndroid\b|\bSilk[/-]|;\s?KF[A-Z]{2,6}\b|\((?:Phone|Tablet); OpenHarmony|X11; Linux.{1,120}SamsungBrowser\//;

export const DESKTOP = /Windows|Macintosh|Mac_PowerPC|Mac OS X|X11|CrOS|Linux|BSD|OpenHarmony/;

function words(...lines: string[]): RegExp {
  return new RegExp(lines.join('|'), 'i');
}
