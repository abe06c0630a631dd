// The model of an Android phone and the version of its system, as far as the browser names them: a browser inside an
// app in its user agent, and Chrome in client hints when a page asks for them. Matching compares them with the phone
// that asks for its link.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { userAgentOf, type Visitor, type VisitorHeaders } from './visitor.ts';
import { ANDROID_MODEL, ANDROID_WEB_VIEW } from './visitor-patterns.ts';

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

/** A cache: many people have the same few hundred user agents. */
const named = new LRUCache<string, Pick<PhoneFacts, 'model' | 'fingerprints'>>({
  max: 2_000,
  memoMethod: (userAgent) => ({ model: modelIn(userAgent), fingerprints: fingerprintsIn(userAgent) }),
});

export function phoneFactsOf(headers: VisitorHeaders, { platform }: Pick<Visitor, 'platform'>): PhoneFacts {
  if (platform !== 'android') return NOTHING;
  const { 'sec-ch-ua-model': model, 'sec-ch-ua-platform-version': version } = headers;
  const inUserAgent = named.memo(userAgentOf(headers));
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

/** The values of `Build.MANUFACTURER` that phones with such models may have. A model that fits none has no known maker. */
const MAKERS: readonly (readonly [model: RegExp, makers: readonly string[]])[] = [
  [/^(?:SM|GT|SC|SHV|SGH)-/, ['samsung']],
  [/^Pixel /, ['Google']],
  [/^(?:M?2\d{3}[0-9A-Z]{4,9}|Redmi |POCO |Mi |MI |Xiaomi )/, ['Xiaomi']],
  [/^CPH\d{4}$/, ['OPPO', 'OnePlus']],
  [/^RMX\d{4}$/, ['realme']],
  [/^(?:V\d{4}A?|vivo |I2\d{3})/, ['vivo']],
  [/^(?:moto |XT\d{4})/, ['motorola']],
  [/^(?:ONEPLUS A\d{4}|(?:AC|BE|DN|GM|HD|IN|IV|KB|LE|MT|NE)2?\d{3,4}$)/, ['OnePlus']],
  [/^Infinix /, ['INFINIX', 'INFINIX MOBILITY LIMITED']],
  [/^TECNO /, ['TECNO', 'TECNO MOBILE LIMITED']],
  [/^Nokia /, ['HMD Global']],
  [/^(?:XQ-|SO-|SOG)/, ['Sony']],
  [/^[A-Z]{3}-(?:[A-Z]{1,2}\d{2}|N\d{2})/, ['HUAWEI', 'HONOR']],
  [/^A(?:063|065|142P?|015|059P?|024)$/, ['Nothing']],
];

/** `Android 14; Pixel 8 Build/AP2A.240905.003`: the version, the model, and the build. */
const PHONE = /; Android (\d{1,3}(?:\.\d{1,3}){0,2}); ([^;()]{1,60}?) Build\/([\w.-]{1,60})[;)]/;

/**
 * Returns the fingerprints that the public client may have on the phone of a web view, 64 hexadecimal digits each. Its
 * fingerprint of an Android phone is a hash of build, model, maker and version, and a web view names all but the maker.
 * Null when the browser is no web view, or names too little.
 */
function fingerprintsIn(userAgent: string): string[] | null {
  if (!ANDROID_WEB_VIEW.test(userAgent)) return null;
  const [, version, model, build] = PHONE.exec(userAgent) ?? [];
  const makers = model === undefined ? undefined : MAKERS.find(([pattern]) => pattern.test(model))?.[1];
  // Versions of the client differ in whether they add the version of the system.
  return (
    makers?.flatMap((maker) =>
      [`${build}_${model}_${maker}_${version}`, `${build}_${model}_${maker}`].map((text) => hash('sha256', text)),
    ) ?? null
  );
}
