// Devices and browsers of November 2026 for `/try`, with the user agents that they send. It is data: a new line is a new
// choice on the page, in the command line and in the tests.

export const DEVICE_GROUPS = ['ios', 'ios-in-app', 'android', 'android-in-app', 'computer', 'other', 'bot'] as const;
type Group = (typeof DEVICE_GROUPS)[number];

export interface Device {
  id: string;
  name: string;
  group: Group;
  userAgent: string;
  /** Further headers that decide. */
  headers?: Readonly<Record<string, string>>;
}

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/150.0.0.0 Safari/537.36`;
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/150.0.0.0 Mobile Safari/537.36`;
const ANDROID_WEB_VIEW = `Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A.250205.002; wv) ${BLINK} Version/4.0 Chrome/150.0.7390.70 Mobile Safari/537.36`;

type Row = readonly [id: string, name: string, userAgent: string, headers?: Device['headers']];

const inApps = (system: string, on: string, userAgents: Record<string, string>): Row[] =>
  Object.entries(userAgents).map(([app, userAgent]) => [
    `${system}-${app.toLowerCase()}`,
    `${app} on ${on}`,
    userAgent,
  ]);

const byGroup: Record<Group, readonly Row[]> = {
  ios: [
    ['iphone-safari', 'Safari on an iPhone', `${IPHONE} Version/26.4 Mobile/15E148 Safari/604.1`],
    ['iphone-chrome', 'Chrome on an iPhone', `${IPHONE} CriOS/150.0.7390.0 Mobile/15E148 Safari/604.1`],
    ['iphone-firefox', 'Firefox on an iPhone', `${IPHONE} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`],
    ['iphone-edge', 'Edge on an iPhone', `${IPHONE} EdgiOS/148.0.2739.82 Version/18.0 Mobile/15E148 Safari/604.1`],
    [
      'iphone-duckduckgo',
      'DuckDuckGo on an iPhone',
      `${IPHONE} Version/18.7 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
    ],
    [
      'ipad-safari',
      'Safari on an iPad that asks for mobile pages',
      `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`,
    ],
    ['ipad-chrome', 'Chrome on an iPad', `${MAC} ${WEBKIT} CriOS/150 Version/11.1.1 Safari/605.1.15`],
  ],
  'ios-in-app': [
    ...inApps('ios', 'an iPhone', {
      Instagram: `${IPHONE} Mobile/22F76 Instagram 445.0.0.36.70 (iPhone15,3; iOS 18_7; en_US; en; scale=3.00; 1290x2796; IABMV/1; 776538208) Safari/604.1`,
      Facebook: `${IPHONE} Mobile/22G100 Safari/604.1 [FBAN/FBIOS;FBAV/488.0.0.68.101;FBBV/658219612;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7]`,
      Messenger: `${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/461.0.0.26.106;FBBV/596640960;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7]`,
      Threads: `${IPHONE} Mobile/23D5103d Barcelona 413.1.0.23.79 (iPhone18,1; iOS 26_3; en_US; en; scale=3.00; 1206x2622; IABMV/1; 865807478)`,
      WhatsApp: `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0_1 like Mac OS X) ${WEBKIT} Version/26.0.1 Mobile/15E148 Safari/604.1 [WAiOS/2.25.31]`,
      LinkedIn: `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.1753`,
      X: `${IPHONE} Mobile/23D5103d Twitter for iPhone/11.57`,
      TikTok: `${IPHONE} Mobile/15E148 Safari/604.1 musical_ly_41.9.0`,
      Snapchat: `${IPHONE} Version/18.7 Mobile/15E148 Snapchat/13.72.0.39 (like Safari/8617.2.4.10.8, panda)`,
      Pinterest: `${IPHONE} Mobile/15E148 [Pinterest/iOS]`,
      LINE: `${IPHONE} Mobile/15E148 Safari Line/15.10.0`,
      KakaoTalk: `${IPHONE} Mobile/15E148 KAKAOTALK/25.2.1 (INAPP)`,
      WeChat: `${IPHONE} Mobile/15E148 MicroMessenger/8.0.58(0x18003a2f) NetType/WIFI Language/en`,
    }),
    ['ios-google', 'The Google app on an iPhone', `${IPHONE} GSA/360.0.7390 Mobile/15E148 Safari/604.1`],
    ['ios-web-view', 'An unknown app on an iPhone', `${IPHONE} Mobile/15E148`],
  ],
  android: [
    ['android-chrome', 'Chrome on an Android phone', ANDROID],
    [
      'android-firefox',
      'Firefox on an Android phone',
      'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0',
    ],
    [
      'android-samsung',
      'Samsung Internet',
      `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    ],
    ['android-edge', 'Edge on an Android phone', `${ANDROID} EdgA/150.0.0.0`],
    ['android-opera', 'Opera on an Android phone', `${ANDROID} OPR/91.0.0.0`],
    [
      'android-tablet',
      'Chrome on an Android tablet',
      `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/150.0.0.0 Safari/537.36`,
    ],
    [
      'huawei',
      'A Huawei phone without Google',
      `Mozilla/5.0 (Linux; Android 12; HarmonyOS; TET-AN00; HMSCore 6.12.4.312) ${BLINK} Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Mobile Safari/537.36`,
    ],
    [
      'amazon-fire',
      'An Amazon Fire tablet',
      `Mozilla/5.0 (Linux; Android 11; KFTUWI Build/RS8332) ${BLINK} Silk/120.4.1 like Chrome/120.0.6099.210 Safari/537.36`,
    ],
    [
      'quest',
      'A headset without a store',
      `Mozilla/5.0 (Linux; Android 12; Quest 3) ${BLINK} OculusBrowser/32.0.0.8.18 Mobile Safari/537.36`,
    ],
  ],
  'android-in-app': [
    ...inApps('android', 'Android', {
      Instagram: `${ANDROID_WEB_VIEW} Instagram 445.0.0.46.109 Android (35/15; 420dpi; 1080x2424; Google/google; Pixel 9; tokay; tokay; en_US; 801234567; IABMV/1)`,
      Facebook: `${ANDROID_WEB_VIEW} [FB_IAB/FB4A;FBAV/488.0.0.62.79;IABMV/1;]`,
      Messenger: `${ANDROID_WEB_VIEW} [FB_IAB/Orca-Android;FBAV/470.0.0.40.109;]`,
      Telegram: `${ANDROID} Telegram-Android/11.4.3 (Google Pixel 9; Android 15; SDK 35; HIGH)`,
      TikTok: `${ANDROID_WEB_VIEW} musical_ly_2024103040 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/41.3.4`,
      Snapchat: `${ANDROID_WEB_VIEW}Snapchat13.74.6.0 (Pixel 9; Android 15#AP4A#35; gzip)`,
      Pinterest: `${ANDROID_WEB_VIEW} [Pinterest/Android]`,
      LinkedIn: `${ANDROID_WEB_VIEW} [LinkedInApp]/4.1.1000`,
      LINE: `${ANDROID_WEB_VIEW} Line/15.18.1/IAB`,
      KakaoTalk: `${ANDROID_WEB_VIEW};KAKAOTALK 25.5.5`,
      WeChat: `${ANDROID_WEB_VIEW} XWEB/1340075 MMWEBSDK/20250201 MicroMessenger/8.0.58.2841(0x28003A3C) WeChat/arm64 Weixin NetType/WIFI Language/en`,
      Reddit: `${ANDROID_WEB_VIEW} Reddit/Version 2026.23.0/Build 2623040/Android 15`,
    }),
    ['android-google', 'The Google app on Android', `${ANDROID} GSA/15.30.0.28.arm64`],
    ['android-web-view', 'An unknown app on Android', ANDROID_WEB_VIEW],
  ],
  computer: [
    ['windows-chrome', 'Chrome on Windows', WINDOWS],
    ['windows-edge', 'Edge on Windows', `${WINDOWS} Edg/150.0.0.0`],
    [
      'windows-firefox',
      'Firefox on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    ],
    [
      'mac-safari',
      'Safari on a Mac, or on an iPad that asks for desktop pages',
      `${MAC} ${WEBKIT} Version/26.4 Safari/605.1.15`,
    ],
    ['mac-chrome', 'Chrome on a Mac', `${MAC} ${BLINK} Chrome/150.0.0.0 Safari/537.36`],
    ['linux-firefox', 'Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
    ['chromebook', 'A Chromebook', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/150.0.0.0 Safari/537.36`],
  ],
  other: [
    ['television', 'A television', `Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) ${BLINK} Version/7.0 TV Safari/537.36`],
    [
      'console',
      'A game console',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${BLINK} Chrome/150.0.0.0 Safari/537.36 Edge/44.18363.8131`,
    ],
    ['unknown', 'A program that names nothing', ''],
  ],
  bot: [
    [
      'facebook-preview',
      'The preview of Facebook and Instagram',
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    ],
    ['whatsapp-preview', 'The preview of WhatsApp', 'WhatsApp/2.23.20.0'],
    [
      'imessage-preview',
      'The preview of iMessage',
      `${MAC} ${WEBKIT} Version/11.1.2 Safari/605.1.15 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
    ],
    ['slack-preview', 'The preview of Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['telegram-preview', 'The preview of Telegram', 'TelegramBot (like TwitterBot)'],
    [
      'googlebot',
      'Googlebot on a phone',
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${BLINK} Chrome/150.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    ],
    ['mail-scanner', 'A mail gateway that opens links first', `${WINDOWS} SafeLinks`],
    ['prefetch', 'Chrome on Android, which loads the link before the tap', ANDROID, { 'sec-purpose': 'prefetch' }],
  ],
};

export const devices: readonly Device[] = DEVICE_GROUPS.flatMap((group) =>
  byGroup[group].map(([id, name, userAgent, headers]) => ({ group, id, name, userAgent, ...(headers && { headers }) })),
);

export const deviceIds: ReadonlySet<string> = new Set(devices.map(({ id }) => id));
