import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a thing is called: the first field of its form, in which typing begins. */
export const NameInput = ({ hint, ...input }: { hint: string } & Omit<TextInputProps, 'label' | 'description'>) => {
  const { t } = useTranslation('shell');
  return <TextInput label={t('name')} description={hint} required data-autofocus {...input} />;
};
