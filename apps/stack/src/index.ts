export { isForConsole } from './proxy.ts';
export { serviceProcess } from './service-process.ts';
export { type ServiceName, type Stack, type StackOptions, serviceNames, startStack } from './stack.ts';
