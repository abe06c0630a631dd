import { runWorker } from '@landfall/worker/run';
import { consoleWorker } from './worker.ts';

await runWorker(consoleWorker(process.env));
