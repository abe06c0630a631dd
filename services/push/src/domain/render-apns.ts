// A push as Apple takes it.
import { expiryOf, type PushData, type Rendered, renderData, replaces } from './render-data.ts';

/** What node-apn makes headers and the body of. */
export interface ApnsNotification {
  /** `apns-id`: the delivery, the same on every attempt. */
  readonly id: string;
  readonly topic: string;
  readonly pushType: 'alert';
  readonly priority: 10;
  /** Seconds since 1970; 0: at once or never. */
  readonly expiry: number;
  readonly collapseId: string;
  readonly rawPayload: ApnsPayload;
}

export type ApnsPayload = PushData & {
  readonly aps: {
    readonly alert: { readonly title: string; readonly body: string };
    readonly sound?: string;
    readonly badge?: number;
    readonly 'mutable-content'?: 1;
  };
  /** For the app's extension. */
  readonly imageUrl?: string;
};

export const renderApns = (
  push: Rendered & { readonly id: string },
  bundleId: string,
  now: Date,
): ApnsNotification => ({
  id: push.id,
  topic: bundleId,
  pushType: 'alert',
  priority: 10,
  expiry: expiryOf(push, now),
  collapseId: replaces(push),
  rawPayload: apnsPayload(push),
});

export function apnsPayload(push: Rendered): ApnsPayload {
  const { title, body, imageUrl, sound, badge } = push.message;
  return {
    aps: {
      alert: { title, body },
      ...(sound === null ? {} : { sound }),
      ...(badge === null ? {} : { badge }),
      ...(imageUrl === null ? {} : { 'mutable-content': 1 }),
    },
    ...(imageUrl === null ? {} : { imageUrl }),
    ...renderData(push),
  };
}
