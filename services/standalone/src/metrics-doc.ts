// The tables of docs/metrics.md, made of the code: between marks, so that they can be made anew.
import { gatewayMetricTable } from '@landfall/gateway';
import { describeConfig, type MetricDefinition, metricTable, TracingConfig } from '@landfall/runtime';

/** The page with its tables made anew. Throws when the marks are not there. */
export function withMetrics(page: string): string {
  return withTable(withTable(page, 'metrics', metricRows()), 'variables', variableRows());
}

function withTable(page: string, name: string, rows: string[][]): string {
  const start = `<!-- ${name}: made by \`npm run docs\` -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/metrics.md must hold ${start} and ${end}`);
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  lines.splice(1, 0, `|${'---|'.repeat(rows[0]!.length)}`);
  return `${before}${start}\n${lines.join('\n')}\n${end}${after}`;
}

function metricRows(): string[][] {
  const metrics: MetricDefinition[] = [...Object.values(metricTable), ...Object.values(gatewayMetricTable)];
  const rows = metrics.map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(' '), help]);
  return [['Metric', 'Type', 'Labels', 'Meaning'], ...rows];
}

function variableRows(): string[][] {
  const rows = describeConfig(TracingConfig).map(({ name, fallback, description }) => [
    code(name),
    fallback.trim() === '' || fallback.includes(' ') ? fallback.trim() : code(fallback),
    description,
  ]);
  return [['Variable', 'Default', 'Meaning'], ...rows];
}

const code = (text: string) => `\`${text}\``;
