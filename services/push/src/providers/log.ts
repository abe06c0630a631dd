// Instead of a provider, where an app has no credentials: what would be sent goes into the log. For development.
import type { PushKind } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { renderData } from '../domain/render-data.ts';
import type { Provider } from './provider.ts';

/** It takes everything, and marks it as logged. */
export function createLogProvider(appId: string, kind: PushKind, log: Logger): Provider {
  return {
    atOnce: 200,
    async send(push) {
      const { title, body } = push.message;
      const { destinationPath, metadata } = renderData(push);
      // No token, and of the metadata the keys alone: their values may be about a person.
      log.info(
        {
          appId,
          provider: kind,
          notificationId: push.notificationId,
          deliveryId: push.id,
          push: { title, body, destinationPath, metadata: Object.keys(JSON.parse(metadata)) },
        },
        'a push that is sent to nobody: the app has no credentials for its provider',
      );
      return { kind: 'sent', providerId: null, logged: true };
    },
    check: async () => null,
    close: async () => {},
  };
}
