// The model of an Android phone and the version of its system, as far as the browser names them: a browser inside an
// app in its user agent, and Chrome in client hints when a page asks for them. Matching compares them with the phone
// that asks for its link.
import { LRUCache } from 'lru-cache';
import { fingerprintsIn } from './phone-fingerprints.ts';
import type { Visitor, VisitorHeaders } from './visitor.ts';
import { ANDROID_MODEL } from './visitor-patterns.ts';

export interface PhoneFacts {
  /** Null: the browser hides it, or it is no Android phone. */
  model: string | null;
  /** At most `major.minor`. Null: no hint names it. */
  osVersion: string | null;
  /** The fingerprints that the public client may have on this phone. Null: not known. */
  fingerprints: readonly string[] | null;
}

const NOTHING: PhoneFacts = { model: null, osVersion: null, fingerprints: null };
const MAX_MODEL = 100;
/** Longer user agents are cut, as those of visitors are. */
const MAX_LENGTH = 1024;

/** A cache: many people have the same few hundred user agents. */
const named = new LRUCache<string, Pick<PhoneFacts, 'model' | 'fingerprints'>>({
  max: 2_000,
  memoMethod: (userAgent) => ({ model: modelIn(userAgent), fingerprints: fingerprintsIn(userAgent) }),
});

export function phoneFactsOf(headers: VisitorHeaders, { platform }: Pick<Visitor, 'platform'>): PhoneFacts {
  if (platform !== 'android') return NOTHING;
  const { 'user-agent': userAgent, 'sec-ch-ua-model': model, 'sec-ch-ua-platform-version': version } = headers;
  const inUserAgent = named.memo(typeof userAgent === 'string' ? userAgent.slice(0, MAX_LENGTH) : '');
  return {
    ...inUserAgent,
    model: hint(model) ?? inUserAgent.model,
    osVersion: /^\d{1,3}(?:\.\d{1,3})?/.exec(hint(version) ?? '')?.[0] ?? null,
  };
}

/** Returns the text of a client hint: a string in quotes (RFC 8941). Null when it is empty or missing. */
function hint(header: VisitorHeaders[string]): string | null {
  const [, text] = /^"([\x20-\x7e]*)"$/.exec(typeof header === 'string' ? header : '') ?? [];
  const plain = text?.replace(/\\(.)/g, '$1').trim().slice(0, MAX_MODEL);
  return plain ? plain : null;
}

/** Browsers that hide the model write `K`, or another word in its place. Firefox writes the kind of device. */
const NO_MODEL =
  /^(?:K|Mobile|Tablet|wv|U|Android|Linux|Phone|Samsung|Generic|Unknown|unspecified device|arm(?:_?64)?)$/i;

function modelIn(userAgent: string): string | null {
  const [whole, before] = ANDROID_MODEL.exec(userAgent) ?? [];
  if (whole === undefined) return null;
  const model = whole.slice(before!.length).trim();
  return model === '' || NO_MODEL.test(model) ? null : model;
}
