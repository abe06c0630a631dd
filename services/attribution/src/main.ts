// Runs the attribution service as a process of its own.
import { runWorker } from '@landfall/worker/run';
import { attributionWorker } from './worker.ts';

await runWorker(attributionWorker(process.env));
