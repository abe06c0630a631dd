import { sample } from 'openapi-sampler';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { CopyBlock } from '../copy.tsx';
import type { Reference, Schema } from './reference.ts';

/** The example of the document, or one with the types of the schema. */
export function Example({ reference, schema, example }: { reference: Reference; schema: Schema; example: unknown }) {
  const t = useTranslations('docs');
  const text = useMemo(
    () => JSON.stringify(example ?? sample(schema as Parameters<typeof sample>[0], {}, reference.document), null, 2),
    [example, schema, reference],
  );
  return <CopyBlock value={text} label={t('copyExample')} />;
}
