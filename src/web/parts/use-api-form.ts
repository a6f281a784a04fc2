import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { config } from 'zod/mini';
import { sayIssue } from '../../shared/platform/say-issue.ts';
import { ApiFailure } from '../api/failure.ts';
import { commonWords } from '../words/common.ts';
import { useSending } from './use-sending.ts';

// A form says of a wrong field what the API would say of it.
config({ customError: sayIssue });

/** Of a body whose fields are called as those of the form: what somebody has changed, so that what was set elsewhere meanwhile stays. */
type PickChanged = <Body extends object>(body: Body) => Partial<Body>;

type Options<Values extends Record<string, unknown>> = {
  initialValues: Values;
  /** The API's schema of the body. What only the server knows is told by its answer. */
  schema?: z.ZodType<unknown, Values>;
  onSubmit: (values: Values, pickChanged: PickChanged) => Promise<unknown>;
};

/** How a form is sent, and what has come of that. */
export type FormState = {
  /** For the form's `onSubmit`. */
  submit: (event?: { preventDefault: () => void }) => void;
  isSending: boolean;
  /** Why it was refused, as far as that belongs to no field. */
  failure: unknown;
};

/** What is wrong with which field: also that another thing has the value of one. */
const problemsOf = ({ conflictWith, message, details }: ApiFailure): readonly { path: string; message: string }[] =>
  conflictWith?.key ? [{ path: conflictWith.key, message }] : details;

/** What is typed into that is refused; a password's field says so only in the second way. */
const refused = ':is(input, textarea):is([aria-invalid=true], [data-invalid])';

/** The form that somebody is in, who sends it. */
const formInUse = (): ParentNode => document.activeElement?.closest('form') ?? document.createElement('form');

/** The fields that have to be filled in, and are not, of a form that has no schema for that. */
const missingIn = (form: ParentNode): string[] =>
  [...form.querySelectorAll('input')].flatMap(({ validity, dataset: { path } }) =>
    validity.valueMissing && path !== undefined ? [path] : [],
  );

/** A form whose values are checked by the API's own schema, and whose fields show what the API refuses of them: the first one gets the focus. */
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
  /** What the server has, as far as the form knows. */
  const stored = useRef(initialValues);
  const sentFrom = useRef<ParentNode>(document);
  const showErrors = (errors: UseFormReturnType<Values>['errors']): void => {
    flushSync(() => form.setErrors(errors));
    sentFrom.current.querySelector<HTMLElement>(refused)?.focus();
  };
  const { isSending, send } = useSending((error) => {
    const problems = error instanceof ApiFailure ? problemsOf(error) : [];
    const ofFields = problems.filter(({ path }) => (path.split('.')[0] ?? '') in initialValues);
    showErrors(Object.fromEntries(ofFields.map(({ path, message }) => [path.split('.')[0], message])));
    if (ofFields.length === 0 || ofFields.length < problems.length) setFailure(error);
  });
  const isStored = (name: string, value: unknown): boolean =>
    JSON.stringify(value) === JSON.stringify(stored.current[name]);
  const sendValues = (values: Values): void => {
    setFailure(null);
    const missing = missingIn(sentFrom.current);
    if (missing.length > 0) {
      showErrors(Object.fromEntries(missing.map((name) => [name, commonWords.missing])));
      return;
    }
    const pickChanged: PickChanged = (body) => {
      const changed: typeof body = { ...body };
      for (const name of Object.keys(values)) if (isStored(name, values[name])) Reflect.deleteProperty(changed, name);
      return changed;
    };
    void send(async () => {
      await onSubmit(values, pickChanged);
      stored.current = form.getValues();
    });
  };
  const submit = (event?: { preventDefault: () => void }): void => {
    event?.preventDefault();
    sentFrom.current = formInUse();
    form.onSubmit(sendValues, showErrors)();
  };
  return { form, submit, isSending, failure };
};
