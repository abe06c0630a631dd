// The whole product in one process.
export { StandaloneConfig } from './config.ts';
export { type Landfall, type LandfallOptions, startLandfall } from './landfall.ts';
export { runRetention } from './retention.ts';
