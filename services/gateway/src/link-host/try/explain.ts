// Says what a tap on a link would do, and why. It asks `answerTap`, the function that answers taps, with a made-up
// visitor, and records nothing.

import type { App, Link } from '@landfall/contracts';
import { type Hashes, type Hosts, type HttpConfig, responseHeaders } from '@landfall/http';
import { WEB_VIEW } from '../../visitor/visitor.ts';
import { answerTap, type TapAnswer, type TapInput } from '../answer-tap.ts';
import { TAP_HEADERS, type TapRequest, type TapResponse, tapInput, tapResponse, visitorOf } from '../tap-request.ts';
import { type OpensApp, opensApp } from './opens-app.ts';
import { type TryRule, tryRules } from './rules.ts';

export const TRY_STEPS = ['host', 'link', 'visitor', 'app', 'rule', 'answer', 'record', 'install'] as const;

export interface Step {
  step: (typeof TRY_STEPS)[number];
  /** A sentence. */
  detail: string;
}

export interface Explanation {
  rule: TryRule;
  steps: Step[];
  visitor: TapInput['visitor'];
  /** True when the phone opens the app. Then the link host gets no request, and `answer` is what it would say. */
  opensApp: boolean;
  answer: TapAnswer;
  response: TapResponse;
}

export interface ExplainParts {
  hosts: Hosts;
  config: HttpConfig;
  hashes: Hashes;
  now(): Date;
}

/** @param installed whether the app is on the device */
export function explain(
  { app, link }: { app: App; link: Link },
  asked: TapRequest,
  installed: boolean,
  parts: ExplainParts,
): Explanation {
  const now = parts.now();
  const playToken = placeholder(app, link, now, parts);
  const clipToken = app.clipboard ? playToken : null;
  const input = tapInput(asked, { visitor: visitorOf(asked), app, link, now, playToken, clipToken }, parts);
  const answer = answerTap(input);
  const response = tapResponse(answer, asked.headers);
  const headers = { ...responseHeaders(parts.config.PUBLIC_URL), ...TAP_HEADERS, ...response.headers };
  const opening = installed ? opensApp(app, input.visitor, new URL(input.linkUrl).protocol) : null;
  const opens = opening?.opens === true;
  const rule: TryRule = opens ? 'app-opens' : answer.rule;
  return {
    rule,
    steps: stepsOf(input, asked, answer, rule, opening),
    visitor: input.visitor,
    opensApp: opens,
    answer,
    response: { ...response, headers: { ...headers, 'Content-Type': response.type } },
  };
}

/** As long as a token, because long URLs of Play are cut. It is none: a real one would be good for a restore. */
function placeholder(app: App, link: Link, now: Date, { hashes }: ExplainParts): string {
  const token = hashes.signTap(app.id, { tapId: link.id, linkId: link.id, tappedAt: now.toISOString() });
  return 'x'.repeat(token.length);
}

function stepsOf(
  { app, link, visitor }: TapInput,
  { host }: TapRequest,
  answer: TapAnswer,
  rule: TryRule,
  opening: OpensApp | null,
): Step[] {
  const start: Step[] = [
    { step: 'host', detail: `${host} belongs to the app ${app.name}.` },
    { step: 'link', detail: linkSentence(link) },
    { step: 'visitor', detail: visitorSentence(visitor) },
    { step: 'app', detail: opening?.why ?? 'The app is not installed.' },
    { step: 'rule', detail: tryRules[rule] },
  ];
  if (rule === 'app-opens')
    return [...start, { step: 'answer', detail: `The app gets the link, and shows ${link.destination}.` }];
  return [
    ...start,
    { step: 'answer', detail: answerSentence(answer) },
    { step: 'record', detail: recordSentence(answer) },
    ...(answer.deferred ? [{ step: 'install' as const, detail: installSentence(answer) }] : []),
  ];
}

const linkSentence = ({ slug, destination, expiresAt }: Link): string =>
  `${slug} leads to ${destination}${expiresAt === null ? '' : `, until ${expiresAt}`}.`;

const PLATFORMS = { ios: 'iOS', android: 'Android', desktop: 'a computer', unknown: 'an unknown device' } as const;

function visitorSentence({ kind, platform, inApp }: TapInput['visitor']): string {
  if (kind === 'bot') return 'The user agent is that of a bot.';
  if (kind === 'prefetch') return 'The browser says that it loads the link before a tap.';
  if (kind === 'unknown') return 'The user agent names no browser.';
  const where = inApp === null ? '' : inApp === WEB_VIEW ? ', inside an unknown app' : `, inside ${inApp}`;
  return `A person on ${PLATFORMS[platform]}${where}.`;
}

function answerSentence({ status, location, page, retryAfter }: TapAnswer): string {
  if (location !== undefined) return `${status}: the browser goes to ${location}`;
  if (page) return `${status}: the page “${page.kind}”.`;
  return `${status}: nothing. The browser may load links early again in ${retryAfter} seconds.`;
}

const recordSentence = ({ click, rule }: TapAnswer): string => {
  if (click) return 'The tap is recorded, and link.clicked is published.';
  return rule === 'touch-check'
    ? 'The tap is recorded when the page has found out the device.'
    : 'Nothing is recorded.';
};

const installSentence = ({ location }: TapAnswer): string =>
  location?.includes('lf_click') === true
    ? 'After the install, Google Play gives the token of this tap to the app, and the first start gets the destination.'
    : 'After the install, the first start gets the destination if its address or its email fits this tap, and nobody else’s.';
