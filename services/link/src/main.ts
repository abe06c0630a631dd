import { runWorker } from '@landfall/worker/run';
import { linkWorker } from './worker.ts';

await runWorker(linkWorker(process.env));
