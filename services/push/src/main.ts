import { capOldMemory } from '@landfall/runtime';
import { runWorker } from '@landfall/worker/run';
import { pushWorker } from './worker.ts';

capOldMemory(30);

await runWorker(pushWorker(process.env));
