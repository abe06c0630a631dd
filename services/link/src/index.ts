export { type DemoLink, demoLinks } from './repositories/demo-link-repository.ts';
export { deleteExpired } from './retention.ts';
export { linkService, warnWithoutSearch } from './service.ts';
export { LinkConfig } from './worker.ts';
