export { linkService } from './service.ts';
export { linkWorker } from './worker.ts';
