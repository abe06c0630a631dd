// The images that tests run on.
import { KAFKA_VERSION } from '@landfall/local';

export const images = {
  postgres: 'postgres:17',
  kafka: `apache/kafka:${KAFKA_VERSION}`,
  redis: 'redis:7',
} as const;
