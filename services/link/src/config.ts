// The settings of the link service when it runs as its own process.
import { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';

export const LinkConfig = z.object({ ...WorkerConfig.shape, ...AuditRetentionConfig.shape });
export type LinkConfig = z.output<typeof LinkConfig>;

export const linkConfig = (env: NodeJS.ProcessEnv): LinkConfig => readWorkerConfig(LinkConfig, env);
