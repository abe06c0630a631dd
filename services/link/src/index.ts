// Exports the link service for the process that runs it.
export { LinkConfig } from './config.ts';
export { deleteExpired } from './retention.ts';
export { linkService } from './service.ts';
