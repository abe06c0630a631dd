// The schemas under `components`. Replies refer to them, so that generated clients get one type for each thing.
import { FindDevice, ListDeliveries, ListDevices, Notification, PushProvider } from '@landfall/contracts';
import { auditView } from '../audit/audit.ts';
import { domainView } from '../domains/domains.ts';
import { letterView } from '../instance/dead-letters.ts';
import { keyView } from '../keys/keys.ts';
import { linkView } from '../links/link-fields.ts';
import { identityView } from '../oidc/identity-repository.ts';
import { Person } from '../people/person-repository.ts';
import { appView } from '../routes/manage-fields.ts';
import { sessionView } from '../sessions/session-repository.ts';
import { shareView } from '../shares/shares.ts';
import { invitationView } from '../teams/invitation-repository.ts';
import { memberView, Team } from '../teams/team-repository.ts';
import { ownerTokenView, tokenView } from '../tokens/tokens.ts';
import { View } from '../views/view-repository.ts';

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
  [Person, 'Person'],
  [PushProvider, 'PushProvider'],
  [sessionView, 'Session'],
  [shareView, 'Share'],
  [Team, 'Team'],
  [tokenView, 'Token'],
  [View, 'View'],
]);
