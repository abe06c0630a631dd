// Runs the link service as a process of its own.
import { runWorker } from '@landfall/worker/run';
import { linkWorker } from './worker.ts';

await runWorker(linkWorker(process.env));
