// Composes the repositories of the push service.
import type { Database } from '@landfall/db';
import { changeRepository } from './change-repository.ts';
import { deliveryRepository } from './delivery-repository.ts';
import { deviceRepository } from './device-repository.ts';
import { notificationRepository } from './notification-repository.ts';
import { openRepository } from './open-repository.ts';
import { providerRepository } from './provider-repository.ts';

export type PushRepository = ReturnType<typeof pushRepository>;

export const pushRepository = (database: Database) => ({
  changes: changeRepository(database),
  deliveries: deliveryRepository(database),
  devices: deviceRepository(database),
  notifications: notificationRepository(database),
  opens: openRepository(database),
  providers: providerRepository(database),
});
