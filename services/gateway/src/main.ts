// Runs the gateway as a process of its own.
import { run } from '@landfall/runtime';
import { startGatewayProcess } from './gateway-process.ts';

await run(() => startGatewayProcess({ env: process.env }));
