// Runs the account service as a separate process.
import { runWorker } from '@landfall/worker/run';
import { accountWorker } from './worker.ts';

await runWorker(accountWorker(process.env));
