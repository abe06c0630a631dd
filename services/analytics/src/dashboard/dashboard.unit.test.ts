import { describe, expect, it } from 'vitest';
import { productDashboard } from './dashboard.ts';

interface Made {
  id: number;
  type: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { rawSql: string; datasource: { uid: string } }[];
}

describe.each(['postgresql', 'clickhouse'] as const)('the product dashboard for %s', (store) => {
  const panels = productDashboard(store).panels as Made[];

  it('has panels with different ids that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, i) => `${x + (i % w)}/${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('asks the chosen data source, and knows every variable that it uses', () => {
    const known = ['app', 'zone', 'label', '__from', '__to', 'datasource'];
    const used = [...JSON.stringify(productDashboard(store)).matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(known.sort());
    for (const { type, targets } of panels)
      if (type !== 'row') expect(targets![0]!.datasource.uid).toMatch(/^\$\{datasource\}$/);
  });

  it('lets people choose the app and the label, and sets the time zone of the app itself', () => {
    const shown = productDashboard(store).templating.list.map(({ name, hide }) => [name, hide === 0]);
    expect(Object.fromEntries(shown)).toEqual({ datasource: true, app: true, zone: false, label: true });
  });
});
