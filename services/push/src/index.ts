// The exports of the push service, for the process that runs it.
export { PushConfig, PushRetentionConfig, type PushSettings, StandalonePushConfig } from './config.ts';
export { deletePushes } from './retention.ts';
export { createSending, type PushSending } from './sending.ts';
export { type PushParts, pushService } from './service.ts';
