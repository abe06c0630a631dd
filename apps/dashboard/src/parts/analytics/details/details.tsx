// The parts below the chart. They are loaded after it.
import { SimpleGrid } from '@mantine/core';
import { Cards, type CardsProps } from '../cards/cards.tsx';
import { Cohorts } from './cohorts.tsx';
import { Funnel } from './funnel.tsx';
import { Referrals } from './referrals.tsx';

export function Details(props: CardsProps) {
  const { asked } = props.question;
  return (
    <>
      <Cards {...props} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Funnel asked={asked} view={props.view} />
        <Referrals asked={asked} />
      </SimpleGrid>
      <Cohorts asked={asked} />
    </>
  );
}
