// For tests of the dashboard: its panels, and the variables of a statement filled in as Grafana does.
export { rows } from './panels.ts';
export { apps, labels, zone } from './sql.ts';

export interface Chosen {
  readonly app: string;
  readonly zone: string;
  readonly label: string;
  /** Milliseconds. */
  readonly __from: number;
  readonly __to: number;
}

export const filled = (statement: string, chosen: Chosen): string =>
  statement.replace(/\$\{(\w+)(:sqlstring)?\}/g, (_, name: keyof Chosen, quoted) => {
    const value = String(chosen[name]);
    return quoted ? `'${value.replaceAll("'", "''")}'` : value;
  });
