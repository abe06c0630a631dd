// The schemas that the OpenAPI document names once under `components`. Replies refer to them, so that generated clients
// get one type for each thing.
import { FindDevice, ListDeliveries, ListDevices, Notification, PushProvider } from '@landfall/contracts';
import { auditView } from '../routes/manage-audit.ts';
import { letterView } from '../routes/manage-dead-letters.ts';
import { domainView } from '../routes/manage-domains.ts';
import {
  appView,
  identityView,
  invitationView,
  keyView,
  linkView,
  memberView,
  personView,
  sessionView,
  teamView,
  tokenView,
} from '../routes/manage-fields.ts';
import { ownerTokenView } from '../routes/manage-owner-tokens.ts';

/** Each schema with its name. */
export const components: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [appView, 'App'],
  [auditView, 'AuditEntry'],
  [letterView, 'DeadLetter'],
  [ListDeliveries.reply.shape.deliveries.element, 'Delivery'],
  [ListDevices.reply.shape.devices.element, 'Device'],
  [FindDevice.reply.shape.events.element, 'DeviceEvent'],
  [domainView, 'Domain'],
  [identityView, 'Identity'],
  [invitationView, 'Invitation'],
  [keyView, 'Key'],
  [linkView, 'Link'],
  [memberView, 'Member'],
  [Notification, 'Notification'],
  [ownerTokenView, 'OwnerToken'],
  [personView, 'Person'],
  [PushProvider, 'PushProvider'],
  [sessionView, 'Session'],
  [teamView, 'Team'],
  [tokenView, 'Token'],
]);
