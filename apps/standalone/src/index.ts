// The whole product in one process.
export { StandaloneConfig } from './config.ts';
export { type Demo, ensureDemo } from './demo.ts';
export { type Landfall, type LandfallOptions, startLandfall } from './landfall.ts';
export { keptFile, randomHex } from './secrets.ts';
export { welcome } from './welcome.ts';
