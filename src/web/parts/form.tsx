import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import type { FormState } from './use-api-form.ts';

type FieldsProps = Pick<FormState, 'submit' | 'failure'> & {
  /** The most width, in px. */
  maw?: number;
  children: ReactNode;
};

/**
 * Whether each field can be read. Only the browser knows of a date of which a part is missing, which would count as none, and of a choice that is no field
 * of the form itself.
 */
const isWhole = (form: HTMLFormElement): boolean => {
  const unfinished = [...form.querySelectorAll('input')].find(
    ({ validity, dataset: { path } }) => validity.badInput || (validity.valueMissing && path === undefined),
  );
  return unfinished?.reportValidity() ?? true;
};

/** The fields and buttons of a form, below why it was refused. */
export const FormFields = ({ submit, failure, maw, children }: FieldsProps) => (
  // What is wrong is told in our words, not in those of the browser.
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (isWhole(event.currentTarget)) submit();
    }}
  >
    <Stack gap="sm" maw={maw}>
      {failure ? <Failure error={failure} /> : null}
      {children}
    </Stack>
  </form>
);

type Props = FormState &
  Omit<FieldsProps, keyof FormState> & {
    /** The word on the button that sends it. */
    action: string;
  };

/** A form that stands in a page. */
export const Form = ({ action, isSending, children, ...fields }: Props) => (
  <FormFields {...fields}>
    {children}
    <Group>
      <Button type="submit" loading={isSending}>
        {action}
      </Button>
    </Group>
  </FormFields>
);
