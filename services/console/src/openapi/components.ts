// The schemas that the OpenAPI document names once under `components`. Replies refer to them, so that generated clients
// get one type for each thing.
import { FindDevice, ListDeliveries, ListDevices, Notification, PushProvider } from '@landfall/contracts';
import { auditView } from '../audit/audit.ts';
import { domainView } from '../domains/domains.ts';
import { letterView } from '../instance/dead-letters.ts';
import {
  appView,
  identityView,
  keyView,
  linkView,
  personView,
  sessionView,
  teamView,
} from '../routes/manage-fields.ts';
import { invitationView, memberView } from '../teams/team-fields.ts';
import { ownerTokenView, tokenView } from '../tokens/token-fields.ts';

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
