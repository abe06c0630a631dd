import { analyticsMetricTable } from '@landfall/analytics';
import { consoleMetricTable } from '@landfall/console';
import { gatewayMetricTable } from '@landfall/gateway';
import { httpMetricTable } from '@landfall/http';
import { describeConfig, type MetricDefinition, metricTable, pushMetricTable, TracingConfig } from '@landfall/runtime';
import { code, table, withPart } from '../marks.ts';

const FILE = 'docs/reference/metrics.md';

export const metrics: readonly MetricDefinition[] = [
  ...Object.values(metricTable),
  ...Object.values(httpMetricTable),
  ...Object.values(gatewayMetricTable),
  ...Object.values(consoleMetricTable),
  ...Object.values(pushMetricTable),
  ...Object.values(analyticsMetricTable),
];

export function withMetrics(page: string): string {
  const withTable = withPart(FILE, page, 'metrics', table(metricRows()));
  return withPart(FILE, withTable, 'variables', table(variableRows()));
}

function metricRows(): string[][] {
  const rows = metrics.map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(' '), help]);
  return [['Metric', 'Type', 'Labels', 'Meaning'], ...rows];
}

function variableRows(): string[][] {
  const rows = describeConfig(TracingConfig).map(({ name, fallback, description }) => [
    code(name),
    fallback === '' || fallback.includes(' ') ? fallback : code(fallback),
    description,
  ]);
  return [['Variable', 'Default', 'Meaning'], ...rows];
}
