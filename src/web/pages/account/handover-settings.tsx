import { NumberInput, TagsInput } from '@mantine/core';
import { handoverWordLimits } from '../../../shared/flows/handover-words.ts';
import { handoverSettingChanges } from '../../../shared/handovers/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { Form } from '../../parts/form.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Settings = Schemas['HandoverSettings'];

// What is wrong with one word is told at the field of all.
const checked = checkedAs<Settings>(handoverSettingChanges, (values) => values);

/** By which words contacts ask for a person, and how long a handover stays open. */
export const HandoverSettings = ({ settings }: { settings: Settings }) => {
  const { form, ...state } = useApiForm({
    initialValues: { words: settings.words, expire_after_hours: settings.expire_after_hours },
    schema: checked,
    onSubmit: async (values, pickChanged) => {
      const { data } = await client.PATCH('/handover-settings', { body: pickChanged(values) });
      // Words are kept in their normal form.
      if (data) form.setValues(data);
      await invalidate('/handover-settings');
      showDone({ message: words.saved });
    },
  });
  return (
    <Section title={words.handovers} description={words.handoversText}>
      <Form {...state} action={commonWords.save} maw={480}>
        <TagsInput
          label={words.words}
          description={words.wordsHint(handoverWordLimits.words)}
          placeholder={words.wordsAdd}
          maxTags={handoverWordLimits.words}
          acceptValueOnBlur
          {...form.getInputProps('words')}
        />
        <NumberInput
          label={words.hours}
          description={words.hoursHint}
          min={1}
          max={8_760}
          allowDecimal={false}
          {...form.getInputProps('expire_after_hours')}
        />
      </Form>
    </Section>
  );
};
