// The text of the product dashboards in deploy/grafana.
import { productDashboard } from '@landfall/analytics/dashboard';

/** Returns the file of a dashboard. */
export const dashboardText = (store: 'postgresql' | 'clickhouse'): string =>
  `${JSON.stringify(productDashboard(store), null, 2)}\n`;
