// Answers questions from PostgreSQL: from counts when these have the answer, else from facts.
import type { Sql } from '@landfall/db';
import { isCounted, labelOf } from '../../domain/metrics.ts';
import { zoneOf } from '../../domain/zone.ts';
import type { FigureStore, Figures, Question } from '../../store.ts';
import { DEFAULT_ZONE, zonesOf } from '../app-repository.ts';
import { coverageOf } from '../partition-repository.ts';
import { countedFigures } from './counted-figures.ts';
import { factFigures } from './fact-figures.ts';
import { activity, clickedLinks, delays } from './fact-measures.ts';

export function figuresRepository(sql: Sql): FigureStore {
  return {
    async zone(appId) {
      return zoneOf((await zonesOf(sql, [appId])).get(appId) ?? DEFAULT_ZONE);
    },
    async coverage() {
      const coverage = await coverageOf(sql);
      if (coverage === null) return null;
      const completeFrom = coverage.completeFrom.getTime();
      return { completeFrom, factsFrom: Math.max(completeFrom, coverage.keptFrom?.getTime() ?? 0) };
    },
    figures: (question): Promise<Figures> => (hasCounts(question) ? countedFigures : factFigures)(sql, question),
    delays: (question) => delays(sql, question),
    clickedLinks: (question) => clickedLinks(sql, question),
    activity: (question) => activity(sql, question),
  };
}

/** Counts have one dimension, and hours only in total. */
function hasCounts({ metric, wholeDays, wholeHours, filters, groupBy }: Question): boolean {
  const dimensions = new Set([...filters.map(({ dimension }) => dimension), ...(groupBy === null ? [] : [groupBy])]);
  if (dimensions.size === 0) return wholeDays || (wholeHours && metric !== 'visitors');
  if (!wholeDays || dimensions.size > 1) return false;
  // Links without a label are in no count of the label.
  const lacksLabel = filters.some(({ dimension, values }) => labelOf(dimension) !== null && values.includes(null));
  return !lacksLabel && [...dimensions].every((dimension) => isCounted(metric, dimension));
}
