import { runWorker } from '@landfall/worker/run';
import { attributionWorker } from './worker.ts';

await runWorker(attributionWorker(process.env));
