import { Select, Switch } from '@mantine/core';
import { countries } from '../../../shared/typed/countries.ts';
import { accountChanges } from '../../../shared/accounts/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../parts/form.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeZoneSelect } from '../../parts/time-zone-select.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { locale } from '../../locale.ts';
import { words } from './words.ts';

/** The countries by their names. */
const countryOptions = (): { value: string; label: string }[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const options = countries.map((code) => ({ value: code, label: names.of(code) ?? code }));
  return options.toSorted((one, other) => one.label.localeCompare(other.label));
};

/** The account's name, its time zone, the country of its phone numbers, and whether custom fields are strict. */
export const AccountSettings = ({ account }: { account: Schemas['Account'] }) => {
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
      showDone({ message: words.saved });
    },
  });
  return (
    <Section title={words.settings}>
      <Form {...state} action={commonWords.save} maw={480}>
        <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
        <TimeZoneSelect
          label={words.timeZone}
          description={words.timeZoneHint}
          set={account.time_zone}
          {...form.getInputProps('time_zone')}
        />
        <Select
          label={words.defaultCountry}
          description={words.defaultCountryHint}
          placeholder={commonWords.none}
          data={countryOptions()}
          searchable
          clearable
          nothingFoundMessage={words.defaultCountryNone}
          {...form.getInputProps('default_country')}
        />
        <Switch
          label={words.strictFields}
          description={words.strictFieldsHint}
          {...form.getInputProps('strict_fields', { type: 'checkbox' })}
        />
      </Form>
    </Section>
  );
};
