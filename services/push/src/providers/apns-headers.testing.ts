import apn from '@parse/node-apn';
import type { ApnsNotification } from '../domain/render/render-apns.ts';

/** Parts of node-apn that its types leave out. */
interface Made {
  compile(): string;
  headers(): Record<string, string | number>;
}

/** Returns the headers that node-apn sends with a notification, after it made the body. */
export function apnsHeaders(notification: ApnsNotification): Record<string, string | number> {
  const made = new apn.Notification({ ...notification }) as unknown as Made;
  made.compile();
  return made.headers();
}
