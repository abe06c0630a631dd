// Runs the account service as a process of its own.
import { runWorker } from '@landfall/worker/run';
import { accountWorker } from './worker.ts';

await runWorker(accountWorker(process.env));
