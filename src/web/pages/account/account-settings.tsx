import { Select, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { countries } from '../../../shared/typed/countries.ts';
import { accountChanges } from '../../../shared/accounts/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../parts/form.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';

/** The zones that browsers know, with the one that is set. */
const timeZones = (set: string): string[] => [...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')])];

/** The most zones that are shown at a time; typing finds the others. */
const shownAtMost = 50;

/** The countries by their names. */
const countryOptions = (): { value: string; label: string }[] => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const options = countries.map((code) => ({ value: code, label: names.of(code) ?? code }));
  return options.toSorted((one, other) => one.label.localeCompare(other.label));
};

/** The account's name, its time zone, the country of its phone numbers, and whether custom fields are strict. */
export const AccountSettings = ({ account }: { account: Schemas['Account'] }) => {
  const { t } = useTranslation(['account', 'shell']);
  const { form, ...state } = useApiForm({
    initialValues: {
      name: account.name,
      time_zone: account.time_zone,
      default_country: account.default_country,
      strict_fields: account.strict_fields,
    },
    schema: accountChanges.required(),
    onSubmit: async (values, pickChanged) => {
      await client.PATCH('/account', { body: pickChanged(values) });
      await invalidate('/account', '/session');
      notifications.show({ message: t('saved') });
    },
  });
  return (
    <Section title={t('settings')}>
      <Form {...state} action={t('shell:save')} maw={480}>
        <NameInput hint={t('nameHint')} {...form.getInputProps('name')} />
        <Select
          label={t('timeZone')}
          description={t('timeZoneHint')}
          data={timeZones(account.time_zone)}
          searchable
          allowDeselect={false}
          limit={shownAtMost}
          nothingFoundMessage={t('timeZoneNone')}
          {...form.getInputProps('time_zone')}
        />
        <Select
          label={t('defaultCountry')}
          description={t('defaultCountryHint')}
          placeholder={t('shell:none')}
          data={countryOptions()}
          searchable
          clearable
          nothingFoundMessage={t('defaultCountryNone')}
          {...form.getInputProps('default_country')}
        />
        <Switch
          label={t('strictFields')}
          description={t('strictFieldsHint')}
          {...form.getInputProps('strict_fields', { type: 'checkbox' })}
        />
      </Form>
    </Section>
  );
};
