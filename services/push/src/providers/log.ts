// Used instead of a provider when an app has no credentials. Logs that a push would be sent, but not its content.
import type { PushKind } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { renderData } from '../domain/render/render-data.ts';
import type { PushProvider } from './provider.ts';

export function createLogProvider(appId: string, kind: PushKind, log: Logger): PushProvider {
  return {
    atOnce: 200,
    async send(push) {
      const { title, body } = push.message;
      const { destinationPath, metadata } = renderData(push);
      // Log no token and no text. The text of a push may be about a person, and more people read a log than the push.
      log.info(
        {
          appId,
          provider: kind,
          notificationId: push.notificationId,
          deliveryId: push.id,
          push: {
            titleLength: title.length,
            bodyLength: body.length,
            destination: destinationPath !== '',
            metadata: Object.keys(JSON.parse(metadata)),
          },
        },
        'a push that is sent to nobody: the app has no credentials for its provider',
      );
      return { kind: 'sent', providerId: null, logged: true };
    },
    check: async () => null,
    close: async () => {},
  };
}
