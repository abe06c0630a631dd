import { capOldMemory } from '@landfall/runtime';
import { runWorker } from '@landfall/worker/run';
import { analyticsWorker } from './worker.ts';

capOldMemory(100);
await runWorker(analyticsWorker(process.env));
