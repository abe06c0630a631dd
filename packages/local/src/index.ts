// Servers of this machine, for `npm run stack`, tests and benchmarks: Apache Kafka and Redis as they come from Maven
// Central and the system's packages, each in a folder of its own.
export { endProcess, isAlive } from './end-process.ts';
export { endWithUs } from './end-with-us.ts';
export { freePorts } from './free-ports.ts';
export { type LocalKafka, type LocalKafkaOptions, startKafka } from './kafka.ts';
export { KAFKA_VERSION, kafkaAvailable } from './kafka-jars.ts';
export { type LocalRedis, type LocalRedisOptions, redisAvailable, startRedis } from './redis.ts';
export { systemEnv } from './system-env.ts';
