// The account service, for the process that runs it.
export { AccountConfig } from './config.ts';
export { accountService } from './service.ts';
