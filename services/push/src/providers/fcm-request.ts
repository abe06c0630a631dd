// Makes the request that firebase-admin would send to FCM. firebase-admin validates the message and puts it into
// Google's format. The request goes out over our own connections (fcm-sessions.ts).
import { randomUUID } from 'node:crypto';
import { type Credential, deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type Messaging, type TokenMessage } from 'firebase-admin/messaging';

export interface FcmRequest {
  readonly path: string;
  /** JSON. */
  readonly body: string;
}

export interface FcmRequests {
  /**
   * Rejects with an error of firebase-admin when firebase-admin would not send the message.
   * @param dryRun true: FCM only validates the message
   */
  make(message: TokenMessage, dryRun: boolean): Promise<FcmRequest>;
  close(): Promise<void>;
}

/**
 * A private part of firebase-admin. firebase-admin passes each request to it, and returns the `name` in its answer to
 * the caller of `send`.
 */
interface HandsOver {
  messagingRequestHandler: {
    invokeRequestHandler(host: string, path: string, request: object): Promise<{ name: FcmRequest }>;
  };
}

export function createFcmRequests(projectId: string, credential: Credential): FcmRequests {
  const app = initializeApp({ projectId, credential }, randomUUID());
  const messaging = getMessaging(app) as unknown as HandsOver & {
    send(...all: Parameters<Messaging['send']>): unknown;
  };
  if (!('messagingRequestHandler' in messaging))
    throw new Error('this version of firebase-admin hands its requests to something else');
  messaging.messagingRequestHandler = {
    invokeRequestHandler: async (_host, path, request) => ({ name: { path, body: JSON.stringify(request) } }),
  };
  return {
    make: async (message, dryRun) => (await messaging.send(message, dryRun)) as FcmRequest,
    close: () => deleteApp(app),
  };
}
