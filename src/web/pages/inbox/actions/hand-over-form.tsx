import { Textarea } from '@mantine/core';
import { z } from 'zod';
import { noteLimits } from '../../../../shared/messages/conversations/schema.ts';
import { FormModal } from '../../../parts/form-modal.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { nobody, UserSelect } from '../../../parts/user-select.tsx';
import { words as all } from '../words.ts';
import type { Acting } from './use-acting.ts';

const words = all.actions;

type Written = { to: string; note: string };

/** Hands the conversation over to a colleague, with a note for them. */
export const HandOverForm = ({ acting, close }: { acting: Acting; close: () => void }) => {
  const { form, ...state } = useApiForm<Written>({
    initialValues: { to: nobody, note: '' },
    schema: z.custom<Written>().superRefine(({ to }, ctx) => {
      if (to === nobody) ctx.addIssue({ code: 'custom', path: ['to'], message: words.chooseColleague });
    }),
    onSubmit: async ({ to, note }) => {
      await acting.handOver(to, note.trim());
      close();
    },
  });
  const { value, onChange, error } = form.getInputProps('to');
  return (
    <FormModal {...state} close={close} title={words.handOver} action={words.handOver}>
      <UserSelect label={words.handOverTo} value={String(value)} onChange={onChange} error={error} />
      <Textarea
        label={words.handOverNote}
        description={words.handOverHint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={noteLimits.text}
        {...form.getInputProps('note')}
      />
    </FormModal>
  );
};
