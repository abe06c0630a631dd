// Makes the request that firebase-admin would send to FCM: it validates the message, and gives it Google's shape. The
// request goes out over connections of ours (fcm-sessions.ts).
import { randomUUID } from 'node:crypto';
import { type Credential, deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type Messaging, type TokenMessage } from 'firebase-admin/messaging';

export interface FcmRequest {
  readonly path: string;
  /** JSON. */
  readonly body: string;
}

export interface FcmRequests {
  /** Rejects with an error of firebase-admin's when it would not send the message. @param dryRun FCM only validates it */
  make(message: TokenMessage, dryRun: boolean): Promise<FcmRequest>;
  close(): Promise<void>;
}

/** Private to firebase-admin: it hands each request to this, and gives the `name` in the answer to whoever wanted to send. */
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
