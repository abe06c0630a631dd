import { expect, it } from 'vitest';
import { standaloneConfig } from './config.ts';

it('refuses brokers: in one process nothing would go over them', () => {
  expect(() => standaloneConfig({ KAFKA_BROKERS: 'kafka:9092' })).toThrow(/^KAFKA_BROKERS is set, .*one process/);
  expect(() => standaloneConfig({ KAFKA_BROKERS_FILE: '/run/brokers' })).toThrow('KAFKA_BROKERS');
  expect(standaloneConfig({}).LANDFALL_DATA).toBe('.landfall');
});
