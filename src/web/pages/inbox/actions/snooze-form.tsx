import { TextInput } from '@mantine/core';
import { FormModal } from '../../../parts/form-modal.tsx';
import { toLocalInput } from '../../../parts/local-input.ts';
import { useNow } from '../../../parts/use-now.ts';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { words as all } from '../words.ts';
import type { Acting } from './use-acting.ts';
import { snoozeTimes } from './snooze-times.ts';

const words = all.actions;

/** Snoozes until a time that is chosen. */
export const SnoozeForm = ({ acting, close }: { acting: Acting; close: () => void }) => {
  const now = new Date(useNow());
  const { form, ...state } = useApiForm({
    initialValues: { until: toLocalInput(snoozeTimes(now).at(-1)?.at ?? now) },
    onSubmit: async ({ until }) => {
      await acting.snoozeAsAsked(new Date(until));
      close();
    },
  });
  return (
    <FormModal {...state} close={close} title={words.snooze} action={words.snooze}>
      <TextInput
        type="datetime-local"
        label={words.snoozeTime}
        description={words.snoozeHint}
        required
        {...form.getInputProps('until')}
      />
    </FormModal>
  );
};
