import { collapseIdOf, expiryOf, type PushData, type Rendered, renderData } from './render-data.ts';
import { type Variant, variantOf } from './variant.ts';

/** The notification from which node-apn makes headers and body. */
export interface ApnsNotification {
  /** `apns-id`: the id of the delivery, the same on every attempt. */
  readonly id: string;
  readonly topic: string;
  readonly pushType: 'alert' | 'background';
  readonly priority: 5 | 10;
  /** The expiry in seconds since 1970; 0: delivered at once or never. */
  readonly expiry: number;
  readonly collapseId: string;
  readonly rawPayload: ApnsPayload;
}

/** The shown texts. Empty texts are left out: a phone would show an empty line. */
export interface Alert {
  readonly title?: string;
  readonly body?: string;
}

/** The keys of a payload that Apple reads. */
export interface Aps {
  readonly alert?: Alert;
  readonly sound?: string;
  readonly badge?: number;
  readonly category?: string;
  readonly 'interruption-level'?: string;
  readonly 'mutable-content'?: 1;
  readonly 'content-available'?: 1;
}

export type ApnsPayload = PushData & {
  readonly aps: Aps;
  /** The image for the app's extension. */
  readonly imageUrl?: string;
};

export function renderApns(push: Rendered & { readonly id: string }, bundleId: string, now: Date): ApnsNotification {
  const variant = variantOf(push.message, 'ios', push.language);
  return {
    id: push.id,
    topic: bundleId,
    pushType: pushTypeOf(variant),
    priority: applePriorityOf(variant),
    expiry: expiryOf(push, now),
    collapseId: collapseIdOf(push),
    rawPayload: apnsPayload(push),
  };
}

/** Returns the push type. Apple refuses a background push with another type. */
export const pushTypeOf = ({ silent }: Variant) => (silent ? 'background' : 'alert');
/** Returns the priority. Apple accepts a background push only with priority 5. */
export const applePriorityOf = ({ silent, priority }: Variant) => (silent || priority === 'normal' ? 5 : 10);

export function apnsPayload(push: Rendered): ApnsPayload {
  const variant = variantOf(push.message, 'ios', push.language);
  const { imageUrl, silent } = variant;
  const aps = apsOf(variant);
  return {
    aps: silent ? aps : { alert: alertOf(variant), ...aps },
    ...(imageUrl === null || silent ? {} : { imageUrl }),
    ...renderData(push),
  };
}

export const alertOf = ({ title, body }: Variant): Alert => ({ ...(title && { title }), ...(body && { body }) });

/** Without the alert, which Firebase adds itself. A silent push contains nothing that a person could see or hear. */
export function apsOf({ silent, sound, badge, category, interruptionLevel, mutableContent }: Variant): Aps {
  if (silent) return { 'content-available': 1 };
  return {
    ...(sound === null ? {} : { sound }),
    ...(badge === null ? {} : { badge }),
    ...(category === null ? {} : { category }),
    ...(interruptionLevel === null ? {} : { 'interruption-level': interruptionLevel }),
    ...(mutableContent ? { 'mutable-content': 1 } : {}),
  };
}
