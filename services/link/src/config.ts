// The settings of the link service in a process of its own.
import { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';

export const LinkConfig = z.object({ ...WorkerConfig.shape, ...AuditRetentionConfig.shape });
export type LinkConfig = z.output<typeof LinkConfig>;

export const linkConfig = (env: NodeJS.ProcessEnv): LinkConfig => readWorkerConfig(LinkConfig, env);
