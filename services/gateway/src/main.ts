// Runs the gateway as its own process.
import { capOldMemory, run } from '@landfall/runtime';
import { startGatewayProcess } from './gateway-process.ts';

capOldMemory(100);

await run(() => startGatewayProcess({ env: process.env }));
