// Runs the analytics service as a process of its own.
import { runWorker } from '@landfall/worker/run';
import { analyticsWorker } from './worker.ts';

await runWorker(analyticsWorker(process.env));
