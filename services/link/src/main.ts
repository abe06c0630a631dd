// Runs the link service as a process of its own.
import { runWorker } from '@landfall/worker';
import { linkConfig } from './config.ts';
import { linkService } from './service.ts';

await runWorker({ service: 'link', env: process.env, config: linkConfig, register: linkService });
