// Servers on this machine for `npm run stack`, tests and benchmarks: Apache Kafka from Maven Central, and Redis from
// the system's packages. Each server has its own folder.
export { endProcess, endWithUs, isAlive, untilItSays } from './child-process.ts';
export { freePorts } from './free-ports.ts';
export { type LocalKafka, type LocalKafkaOptions, startKafka } from './kafka.ts';
export { KAFKA_VERSION, kafkaAvailable } from './kafka-jars.ts';
export { type LocalRedis, redisAvailable, startRedis } from './redis.ts';
export { systemEnv } from './system-env.ts';
