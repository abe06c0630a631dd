import { SimpleGrid } from '@mantine/core';
import { Breakdown, type BreakdownProps } from './breakdown.tsx';
import { Cohorts } from './cohorts.tsx';
import { Funnel } from './funnel.tsx';
import { Referrals } from './referrals.tsx';

/** What stands below the chart: its figures by dimension, the funnel, referrals and cohorts. */
export function Details(props: BreakdownProps) {
  const { appId, range } = props;
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Breakdown {...props} />
        <Funnel appId={appId} range={range} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Referrals appId={appId} range={range} />
        <Cohorts appId={appId} range={range} />
      </SimpleGrid>
    </>
  );
}
