import { csvCell } from '@landfall/api-client/csv';
import type { QueryBreakdowns, ReplyOf } from '@landfall/contracts';

type Found = Pick<ReplyOf<typeof QueryBreakdowns>, 'metrics' | 'breakdowns' | 'previous'>;

/** Of one breakdown: a line for each value, and one for all values that are not listed. Figures of the days before follow. */
export async function* breakdownAsCsv({ metrics, breakdowns, previous }: Found): AsyncGenerator<string> {
  const line = (...cells: unknown[]) => `${cells.map(csvCell).join()}\r\n`;
  const names = metrics.map(({ metric }) => metric);
  const before = previous === null ? [] : names.map((name) => `${name} before`);
  yield line('value', 'name', ...names, ...before);
  const { groups, groupCount } = breakdowns[0]!;
  for (const { value, name, totals, previousTotals } of groups)
    yield line(value, name, ...totals, ...(previousTotals ?? []));
  const others = groupCount - groups.length;
  if (others === 0) return;
  const rest = metrics.map(({ total }, i) => {
    const listed = groups.map(({ totals }) => totals[i] ?? null).filter((n) => n !== null);
    const isKnown = total !== null && listed.length === groups.length;
    return isKnown ? listed.reduce((left, n) => left - n, total) : null;
  });
  yield line(`(${others} others)`, null, ...rest, ...before.map(() => null));
}
