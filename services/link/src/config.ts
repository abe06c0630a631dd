// The settings of the link service in a process of its own: those of every worker.
import { readWorkerConfig, WorkerConfig } from '@landfall/worker';

export const linkConfig = (env: NodeJS.ProcessEnv): WorkerConfig => readWorkerConfig(WorkerConfig, env);
