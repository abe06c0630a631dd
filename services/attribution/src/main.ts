// Runs the attribution service as a process of its own.
import { runWorker } from '@landfall/worker';
import { attributionWorker } from './worker.ts';

await runWorker(attributionWorker(process.env));
