// The form of settings of an app. What a person enters is a draft at once: it outlives a reload, a lost session, and the
// version of somebody else.
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { applied, changesOf } from '../forms/changes.ts';
import { useDrafts } from '../forms/form-drafts.tsx';

type Fields = Record<string, unknown>;

/**
 * @param name names the form
 * @param before what is stored. It must not change while the form is there: another version begins a new form.
 */
export function useSettings<Values extends Fields>(name: string, before: Values) {
  const [stored] = useState(before);
  const drafts = useDrafts<Values>(name);
  const [draft] = useState(() => drafts.all()[0]);
  const draftId = useRef(draft?.id);
  const [initialValues] = useState(() =>
    draft === undefined ? stored : applied(stored, changesOf(draft.before, draft.values)),
  );
  const form = useForm<Values>({ initialValues });
  const { values } = form;
  const changes = changesOf(stored, values);
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => {
    if (isChanged) draftId.current = drafts.put(draftId.current, { of: name, values, before: stored });
    else drafts.drop(draftId.current);
  }, [isChanged, values, drafts, name, stored]);
  return {
    form,
    changes,
    isChanged,
    takeBack: () => form.setValues(stored),
    /** Call it when the changes are stored. A tab that was opened since has the same draft, so all of them end. */
    forget() {
      for (const { id } of drafts.all()) drafts.drop(id);
    },
  };
}

export type SettingsOf<Values extends Fields> = ReturnType<typeof useSettings<Values>>;
