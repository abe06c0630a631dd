// The whole product in one process.
export { assertFree } from './assert-free.ts';
export { StandaloneConfig } from './config.ts';
export { keptFile, randomHex, takeFolder, tellWhileRunning } from './data-folder.ts';
export { type Demo, ensureDemo } from './demo.ts';
export { type Landfall, type LandfallOptions, startLandfall } from './landfall.ts';
export { buildInBackground } from './web-app.ts';
export { welcome } from './welcome.ts';
