export { linkService } from './service.ts';
