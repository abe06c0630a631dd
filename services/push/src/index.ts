// The exports of the push service, for the process that runs it.
export { keepOf, PushConfig, PushRetentionConfig, type PushSettings, StandalonePushConfig } from './config.ts';
export { deletePushes, type PushRetention } from './retention.ts';
export { createSending, type PushSending } from './sending.ts';
export { type PushParts, pushService } from './service.ts';
