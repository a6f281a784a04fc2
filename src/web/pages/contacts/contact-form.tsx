import { Autocomplete, SimpleGrid, TextInput } from '@mantine/core';
import { contactChanges } from '../../../shared/contacts/schema.ts';
import type { Schemas } from '../../api/client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Field = 'first_name' | 'last_name' | 'email' | 'phone' | 'external_id' | 'language' | 'time_zone';

type Written = Record<Field, string>;

/** What the contact is to have; null where nothing is. What is not named stays. */
export type ContactFields = Partial<Record<Field, string | null>>;

const readFields = (written: Written): ContactFields => ({
  first_name: written.first_name.trim() || null,
  last_name: written.last_name.trim() || null,
  email: written.email.trim() || null,
  phone: written.phone.trim() || null,
  external_id: written.external_id.trim() || null,
  language: written.language.trim() || null,
  time_zone: written.time_zone.trim() || null,
});

/** Hints stand below the inputs, so that those of a row are at the same height. */
const order = ['label', 'input', 'error', 'description'] as const;

const timeZones = (set: string): string[] => [
  ...new Set([...(set === '' ? [] : [set]), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];

type Props = {
  close: () => void;
  /** The contact that is changed; a new one when not given. */
  contact?: Schemas['Contact'];
  save: (fields: ContactFields) => Promise<void>;
};

/** The fields that every contact has, of a new one or one that is there. */
export const ContactForm = ({ close, contact, save }: Props) => {
  const { form, ...state } = useApiForm<Written>({
    initialValues: {
      first_name: contact?.first_name ?? '',
      last_name: contact?.last_name ?? '',
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
      external_id: contact?.external_id ?? '',
      language: contact?.language ?? '',
      time_zone: contact?.time_zone ?? '',
    },
    schema: checkedAs(contactChanges, readFields),
    onSubmit: (written, pickChanged) => save(pickChanged(readFields(written))),
  });
  return (
    <FormModal
      {...state}
      close={close}
      size="lg"
      title={contact ? words.edit : words.create}
      action={contact ? commonWords.save : words.create}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
        <TextInput label={words.firstName} data-autofocus {...form.getInputProps('first_name')} />
        <TextInput label={words.lastName} {...form.getInputProps('last_name')} />
        <TextInput label={words.email} type="email" {...form.getInputProps('email')} />
        <TextInput
          label={words.phone}
          description={words.phoneHint}
          inputWrapperOrder={[...order]}
          type="tel"
          {...form.getInputProps('phone')}
        />
        <TextInput
          label={words.externalId}
          description={words.externalIdHint}
          inputWrapperOrder={[...order]}
          {...form.getInputProps('external_id')}
        />
        <TextInput
          label={words.language}
          description={words.languageHint}
          inputWrapperOrder={[...order]}
          {...form.getInputProps('language')}
        />
        <Autocomplete
          label={words.timeZone}
          description={words.timeZoneHint}
          inputWrapperOrder={[...order]}
          data={timeZones(form.values.time_zone)}
          limit={20}
          {...form.getInputProps('time_zone')}
        />
      </SimpleGrid>
    </FormModal>
  );
};
