import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiFailure } from '../api/failure.ts';
import { useSending } from './use-sending.ts';

type Options<Values extends Record<string, unknown>> = {
  initialValues: Values;
  /** The API's schema of the body. What only the server knows is told by its answer. */
  schema?: z.ZodType<unknown, Values>;
  onSubmit: (values: Values) => Promise<unknown>;
};

/** How a form is sent, and what has come of that. */
export type FormState = {
  /** For the form's `onSubmit`. */
  submit: () => void;
  isSending: boolean;
  /** Why it was refused, as far as that belongs to no field. */
  failure: unknown;
};

/** What is wrong with which field: also that another thing has the value of one. */
const problemsOf = ({ conflictWith, message, details }: ApiFailure): readonly { path: string; message: string }[] =>
  conflictWith?.key ? [{ path: conflictWith.key, message }] : details;

/** A form whose values are checked by the API's own schema, and whose fields show what the API refuses of them. */
export const useApiForm = <Values extends Record<string, unknown>>({
  initialValues,
  schema,
  onSubmit,
}: Options<Values>): FormState & { form: UseFormReturnType<Values> } => {
  const form = useForm<Values>({
    initialValues,
    ...(schema && { validate: schemaResolver(schema, { sync: true }) }),
  });
  const [failure, setFailure] = useState<unknown>(null);
  const { isSending, send } = useSending((error) => {
    const problems = error instanceof ApiFailure ? problemsOf(error) : [];
    const ofFields = problems.filter(({ path }) => (path.split('.')[0] ?? '') in initialValues);
    form.setErrors(Object.fromEntries(ofFields.map(({ path, message }) => [path.split('.')[0], message])));
    if (ofFields.length === 0 || ofFields.length < problems.length) setFailure(error);
  });
  const submit = form.onSubmit((values) => {
    setFailure(null);
    void send(() => onSubmit(values));
  });
  return { form, submit, isSending, failure };
};
