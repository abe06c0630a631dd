// The scaled-out product on one machine, for `npm run stack`, tests and the bench.
export { type IsForConsole, isForConsole } from './proxy.ts';
export { type ServiceProcessOptions, type StackProcess, serviceProcess } from './service-process.ts';
export { type ServiceName, type Stack, type StackOptions, serviceNames, startStack } from './stack.ts';
