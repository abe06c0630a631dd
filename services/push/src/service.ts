// The messages that the push service answers.
import { type Bus, each } from '@landfall/bus';
import {
  CancelPush,
  CountAudience,
  DeleteDevice,
  EditPush,
  FindDevice,
  FindNotification,
  ListDeliveries,
  ListDevices,
  ListNotifications,
  ListPushChanges,
  ListPushProviders,
  RecordOpen,
  RegisterDevice,
  RemovePushProvider,
  ResumePushProvider,
  SendPush,
  SetPushProvider,
  StopPush,
  TryPush,
  UnregisterDevice,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Sealer } from '@landfall/runtime';
import type { Check } from './domain/check.ts';
import type { SizeOf } from './domain/render/too-large.ts';
import { cancelPush } from './handlers/cancel-push.ts';
import { countAudience } from './handlers/count-audience.ts';
import { deleteDevice } from './handlers/delete-device.ts';
import { editPush } from './handlers/edit-push.ts';
import { findDevice } from './handlers/find-device.ts';
import { findNotification } from './handlers/find-notification.ts';
import { listDeliveries } from './handlers/list-deliveries.ts';
import { listDevices } from './handlers/list-devices.ts';
import { listNotifications } from './handlers/list-notifications.ts';
import { listPushChanges } from './handlers/list-push-changes.ts';
import { listPushProviders } from './handlers/list-push-providers.ts';
import { recordOpen } from './handlers/record-open.ts';
import { registerDevice } from './handlers/register-device.ts';
import { removePushProvider } from './handlers/remove-push-provider.ts';
import { resumePushProvider } from './handlers/resume-push-provider.ts';
import { sendPush } from './handlers/send-push.ts';
import { setPushProvider } from './handlers/set-push-provider.ts';
import { stopPush } from './handlers/stop-push.ts';
import { tryPush } from './handlers/try-push.ts';
import { unregisterDevice } from './handlers/unregister-device.ts';
import { pushRepository } from './repositories/push-repository.ts';

export interface PushParts {
  bus: Bus;
  database: Database;
  /** The sealer with the secret of the gateways. */
  sealer: Sealer;
  sizeOf: SizeOf;
  check: Check;
  /** Called after the commit when there may be something to send. Never throws. */
  wake(): void;
}

export function pushService({ bus, database, sealer, sizeOf, check, wake }: PushParts): void {
  const push = pushRepository(database);

  bus.answer(RegisterDevice, registerDevice(push.devices, sealer));
  bus.answer(UnregisterDevice, unregisterDevice(push.devices));
  bus.answer(RecordOpen, recordOpen(push.opens));

  bus.answer(SendPush, each(sendPush(push, { sizeOf, wake })));
  bus.answer(TryPush, each(tryPush(push, sizeOf)));
  bus.answer(CountAudience, each(countAudience(push)));
  bus.answer(CancelPush, each(cancelPush(push)));
  bus.answer(StopPush, each(stopPush(push, wake)));
  bus.answer(EditPush, each(editPush(push, { sizeOf, wake })));
  bus.answer(FindNotification, each(findNotification(push)));
  bus.answer(ListDeliveries, each(listDeliveries(push)));
  bus.answer(ListDevices, each(listDevices(push)));
  bus.answer(FindDevice, each(findDevice(push)));
  bus.answer(DeleteDevice, each(deleteDevice(push)));
  bus.answer(ListNotifications, each(listNotifications(push)));

  bus.answer(SetPushProvider, each(setPushProvider(push, { sealer, check, wake })));
  bus.answer(RemovePushProvider, each(removePushProvider(push)));
  bus.answer(ResumePushProvider, each(resumePushProvider(push, wake)));
  bus.answer(ListPushProviders, each(listPushProviders(push)));
  bus.answer(ListPushChanges, each(listPushChanges(push)));
}
