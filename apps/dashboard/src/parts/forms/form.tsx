import { Button, Group, Stack } from '@mantine/core';
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiFailure } from '../../api/index.ts';
import { FailureAlert } from '../page/page.tsx';
import classes from './form.module.css';
import { type Sentences, useSentences } from './sentences.ts';

type Fields = Record<string, unknown>;

interface FormCommand<Values, Answer> extends UseMutationOptions<Answer, Error, Values> {
  /** The fields that the API names otherwise, and the fields that the codes of its errors are about. */
  fields?: Readonly<Record<string, keyof Values & string>>;
  /** The text for an error code, when the sentence of the API does not fit. */
  sentences?: Readonly<Record<string, string>>;
}

/** A command that a form sends. Its faults are shown at the fields. `error` is what the form shows as a whole. */
export function useFormCommand<Values extends Fields, Answer>(
  form: UseFormReturnType<Values>,
  { fields = {}, sentences = {}, ...options }: FormCommand<Values, Answer>,
) {
  const [isAtFields, setAtFields] = useState(false);
  const said = useSentences();
  const onError = (error: Error) => setAtFields(showFaults(form, error, fields, sentences, said));
  const command = useMutation({ ...options, onError });
  return { ...command, error: isAtFields ? null : command.error };
}

interface CommandFormOptions<Values, Answer>
  extends Pick<FormCommand<Values, Answer>, 'fields' | 'sentences' | 'meta'>,
    Pick<UseFormInput<Values>, 'initialValues' | 'validate'> {
  send: (values: Values, form: UseFormReturnType<Values>) => Promise<Answer>;
  onSuccess?: (answer: Answer, form: UseFormReturnType<Values>) => unknown;
}

/** A form with the one command that it sends, for `CommandForm`. `field` gives an input its words and its value. */
export function useCommandForm<Values extends Fields, Answer, Name extends string>(
  t: Words<Name>,
  { initialValues, validate, send, onSuccess, ...options }: CommandFormOptions<Values, Answer>,
) {
  const form = useForm<Values>({ initialValues, validate });
  const command = useFormCommand(form, {
    ...options,
    mutationFn: (values) => send(values, form),
    onSuccess: (answer) => onSuccess?.(answer, form),
  });
  return {
    ...form,
    command,
    field: fieldsOf(form, t),
    submit: form.onSubmit(
      (values) => command.mutate(values),
      (errors) => focusField(form, Object.keys(errors)[0]!),
    ),
  };
}

/** The one to mend first. */
function focusField<Values extends Fields>(form: UseFormReturnType<Values>, name: string): void {
  form.getInputNode(name as never)?.focus();
}

/** Shows the faults of an answer at the fields of a form. Returns false when one of them has no field. */
function showFaults<Values extends Fields>(
  form: UseFormReturnType<Values>,
  error: Error,
  fields: Readonly<Record<string, keyof Values & string>>,
  sentences: Readonly<Record<string, string>>,
  said: Sentences,
): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const { code, details } = error;
  const faults = fields[code]
    ? [{ path: code, message: sentences[code] ?? said.ofCode(error) }]
    : details.map(({ path, message }) => ({ path, message: said.ofField(message) }));
  const known = faults.map(({ path, message }) => {
    // A fault in a list belongs to the list.
    const field = path.replace(/\.\d+$/, '');
    return [fields[path] ?? fields[field] ?? field, message] as const;
  });
  const values = form.getValues();
  if (known.length === 0 || !known.every(([field]) => isIn(values, field))) return false;
  for (const [field, message] of known) form.setFieldError(field, message);
  focusField(form, known[0]![0]);
  return true;
}

const isIn = (values: Fields, field: string): boolean =>
  field.split('.').reduce<unknown>((inside, name) => (inside as Fields | undefined)?.[name], values) !== undefined;

interface CommandFormProps {
  /** As `useCommandForm` returns it. */
  form: { submit: (event?: SyntheticEvent<HTMLFormElement>) => void; command: { isPending: boolean; error: unknown } };
  submit: string;
  /** The form has rules of its own: the browser checks nothing. */
  noValidate?: boolean;
  /** In a page, not in a window: the button is as wide as its text. */
  inPage?: boolean;
  maw?: number;
  disabled?: boolean;
  /** With it, a button that cancels stands beside. */
  onCancel?: () => void;
  children: ReactNode;
}

export function CommandForm(props: CommandFormProps) {
  const { form, submit, noValidate = false, inPage = false, maw, disabled = false } = props;
  const { isPending, error } = form.command;
  const t = useTranslations('window');
  const button = (
    <Button type="submit" loading={isPending} disabled={disabled}>
      {submit}
    </Button>
  );
  return (
    <form onSubmit={form.submit} noValidate={noValidate}>
      <Stack maw={maw} gap={inPage && maw === undefined ? 'sm' : 'md'}>
        {props.children}
        {error !== null && <FailureAlert error={error} />}
        {props.onCancel ? (
          <Group justify="flex-end" className={classes.foot!}>
            <Button variant="default" onClick={props.onCancel}>
              {t('cancel')}
            </Button>
            {button}
          </Group>
        ) : (
          <Group className={classes.foot!} {...(!inPage && { grow: true })}>
            {button}
          </Group>
        )}
      </Stack>
    </form>
  );
}

export interface Words<Name extends string> {
  (name: Name): string;
  has(name: never): boolean;
}

/** The words of a field have its path, such as `ios.teamId`, and `ios.teamIdHelp` for its help. */
export const fieldsOf =
  <Values extends Fields, Name extends string>(form: UseFormReturnType<Values>, t: Words<Name>) =>
  (name: Name & (keyof Values | `${string}.${string}`), options?: { type: 'checkbox' }) => ({
    label: t(name),
    ...(t.has(`${name}Help` as never) && { description: t(`${name}Help` as Name) }),
    ...form.getInputProps(name as never, options),
  });
