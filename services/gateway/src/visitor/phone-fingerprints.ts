// The public client's fingerprint of an Android phone is a hash of its build, model, maker and version. A web view names
// all of them but the maker, so a tap in one tells which fingerprint the phone would have.
import { hash } from 'node:crypto';
import { ANDROID_WEB_VIEW } from './visitor-patterns.ts';

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
 * Returns the fingerprints that the public client may have on the phone of a web view, 64 hexadecimal digits each. Null
 * when the browser is no web view, or names too little.
 */
export function fingerprintsIn(userAgent: string): string[] | null {
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
