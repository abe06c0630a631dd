import { Badge, Box, Code, type CodeProps, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { objectsIn, type Reference, resolved, type Schema, withoutNull } from './reference.ts';

/** Fields below this depth are not shown. No body of the API has so many. */
const MAX_DEPTH = 5;

interface FieldsProps {
  reference: Reference;
  schema: Schema;
  /** True for what a caller sends: some fields must be there. Answers have all their fields, except optional ones. */
  sent?: boolean;
  depth?: number;
}

export function Fields({ reference, schema, sent = false, depth = 0 }: FieldsProps) {
  const t = useTranslations('docs');
  if (depth > MAX_DEPTH) return null;
  const objects = objectsIn(reference, schema);
  return (
    <Stack gap="sm">
      {objects.map((object, number) => (
        <Stack key={number} gap="sm">
          {objects.length > 1 && <Text fs="italic">{t('choice', { number: number + 1, count: objects.length })}</Text>}
          {Object.entries(object.properties ?? {}).map(([name, field]) => (
            <Field
              key={name}
              {...{ reference, name, sent, depth }}
              schema={field}
              required={object.required?.includes(name) ?? false}
            />
          ))}
        </Stack>
      ))}
    </Stack>
  );
}

interface FieldProps extends FieldsProps {
  name: string;
  required: boolean;
}

export function Field({ reference, name, schema, required, sent = false, depth = 0 }: FieldProps) {
  const t = useTranslations('docs');
  const typeName = useTypeName();
  const limits = useLimits();
  const { description } = resolved(reference, schema);
  return (
    <Box>
      <Group gap="xs" style={{ rowGap: 2 }}>
        <Word fw={600}>{name}</Word>
        <Text>{[typeName(schema), ...limits(schema)].join(' · ')}</Text>
        {required === sent && (
          <Badge size="sm" variant="outline">
            {t(sent ? 'required' : 'optional')}
          </Badge>
        )}
      </Group>
      {description && (
        <Text mt={2}>
          <Marked text={description} />
        </Text>
      )}
      {objectsIn(reference, schema).length > 0 && (
        <Box mt="xs" ml={4} pl="md" style={{ borderLeft: '2px solid var(--mantine-color-default-border)' }}>
          <Fields {...{ reference, schema, sent }} depth={depth + 1} />
        </Box>
      )}
    </Box>
  );
}

/** A text of the document: words between backticks are code. */
export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? <Word key={place}>{part}</Word> : part));
}

/** A name or a short value. It wraps: a name that scrolls could not be read with the keyboard. */
export const Word = (props: CodeProps) => <Code {...props} style={{ overflowWrap: 'anywhere', overflow: 'visible' }} />;

const COLORS: Record<string, string> = { GET: 'teal.9', DELETE: 'red.9' };

export const Method = ({ name }: { name: string }) => <Badge color={COLORS[name] ?? 'indigo.8'}>{name}</Badge>;

/** Returns a function that names a type in words: `string`, `uuid or null`, `list of Link`. */
function useTypeName(): (schema: Schema) => string {
  const t = useTranslations('docs.types');
  const either = (names: string[]): string => [...new Set(names)].join(` ${t('or')} `);
  function nameOf(schema: Schema): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1)!;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices && !schema.properties) return either(choices.map(nameOf));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return either(schema.enum.map((value) => JSON.stringify(value)));
    if (schema.type === 'array') return t('list', { of: schema.items ? nameOf(schema.items) : t('anything') });
    if (schema.properties) return t('object');
    return schema.format ?? schema.type ?? t('anything');
  }
  return nameOf;
}

/** Returns a function that says the limits of a value. It leaves out patterns: an error of the API says what is wrong. */
function useLimits(): (schema: Schema) => string[] {
  const t = useTranslations('docs.limits');
  return (schema) => {
    const { default: value, minimum, maximum, minLength, maxLength, minItems, maxItems } = withoutNull(schema);
    const range = (unit: 'number' | 'characters' | 'items', least = 0, most = Number.MAX_SAFE_INTEGER) => {
      const bounded = most < Number.MAX_SAFE_INTEGER;
      if (least > 0 && bounded)
        return [t(unit, { range: least === most ? `${least}` : t('between', { least, most }) })];
      if (bounded) return [t(unit, { range: t('atMost', { most }) })];
      return least > 0 ? [t(unit, { range: t('atLeast', { least }) })] : [];
    };
    const simple = value !== undefined && (value === null || typeof value !== 'object');
    return [
      ...range('number', minimum, maximum),
      ...range('characters', minLength, maxLength),
      ...range('items', minItems, maxItems),
      ...(simple ? [t('default', { value: JSON.stringify(value) })] : []),
    ];
  };
}
