// The scaled-out product on one machine, for `npm run stack`, tests and the bench.
export { isForConsole } from './proxy.ts';
export { serviceProcess } from './service-process.ts';
export { type ServiceName, type Stack, type StackOptions, serviceNames, startStack } from './stack.ts';
