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
import { deleteDevice, findDevice, listDevices, registerDevice, unregisterDevice } from './handlers/devices.ts';
import { editPush } from './handlers/edit-push.ts';
import { listDeliveries } from './handlers/list-deliveries.ts';
import {
  cancelPush,
  findNotification,
  listNotifications,
  listPushChanges,
  stopPush,
} from './handlers/notifications.ts';
import {
  listPushProviders,
  removePushProvider,
  resumePushProvider,
  setPushProvider,
} from './handlers/push-providers.ts';
import { recordOpen } from './handlers/record-open.ts';
import { countAudience, sendPush, tryPush } from './handlers/send-push.ts';
import type { Check } from './providers/provider.ts';
import { pushRepository } from './repositories/push-repository.ts';

export interface PushParts {
  bus: Bus;
  database: Database;
  /** The sealer with the secret of the gateways. */
  sealer: Sealer;
  check: Check;
  /** Called after the commit when there may be something to send. Never throws. */
  wake(): void;
}

export function pushService({ bus, database, sealer, check, wake }: PushParts): void {
  const push = pushRepository(database);

  bus.answer(RegisterDevice, registerDevice(push.devices, sealer));
  bus.answer(UnregisterDevice, unregisterDevice(push.devices));
  bus.answer(RecordOpen, recordOpen(push.opens));

  bus.answer(SendPush, each(sendPush(push, wake)));
  bus.answer(TryPush, each(tryPush(push)));
  bus.answer(CountAudience, each(countAudience(push)));
  bus.answer(CancelPush, each(cancelPush(push)));
  bus.answer(StopPush, each(stopPush(push, wake)));
  bus.answer(EditPush, each(editPush(push, wake)));
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
