import { PasswordInput, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  credentialReplacement,
  credentialTypes,
  newCredential,
  type CredentialType,
} from '../../../shared/credentials/schema.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';

type Secret = 'token' | 'username' | 'password' | 'header' | 'parameter' | 'value';

type Written = { name: string; type: CredentialType; hosts: string[] } & Record<Secret, string>;

type Props = {
  close: () => void;
  /** The credential whose value and hosts are replaced; a new one when not given. */
  credential?: Schemas['Credential'];
};

const readReplacement = ({ type, hosts, ...secrets }: Written): Schemas['CredentialReplacement'] => {
  const { token, username, password, header, parameter, value } = secrets;
  switch (type) {
    case 'bearer':
      return { type, hosts, token };
    case 'basic':
      return { type, hosts, username, password };
    case 'header':
      return { type, hosts, header, value };
    case 'query':
      return { type, hosts, parameter, value };
    default:
      return unreachable(type);
  }
};

const readCredential = (written: Written): Schemas['NewCredential'] => ({
  name: written.name,
  ...readReplacement(written),
});

/** A credential, a new one or one whose value is replaced. What is typed is gone with the form. */
export const CredentialForm = ({ close, credential }: Props) => {
  const { t } = useTranslation('credentials');
  const param = credential?.param ?? '';
  const { form, ...sending } = useApiForm<Written>({
    initialValues: {
      name: credential?.name ?? '',
      type: credential?.type ?? 'bearer',
      hosts: credential?.hosts ?? [],
      token: '',
      username: '',
      password: '',
      header: credential?.type === 'header' ? param : '',
      parameter: credential?.type === 'query' ? param : '',
      value: '',
    },
    schema: credential ? checkedAs(credentialReplacement, readReplacement) : checkedAs(newCredential, readCredential),
    onSubmit: async (written) => {
      const { data: saved } = credential
        ? await client.PUT('/credentials/{id}', {
            params: { path: { id: credential.id } },
            body: readReplacement(written),
          })
        : await client.POST('/credentials', { body: readCredential(written) });
      if (saved) keepWarnings(saved.id, saved.warnings);
      await invalidate('/credentials');
      close();
    },
  });
  const { type } = form.values;
  const text = (name: 'username' | 'header' | 'parameter', hint?: string) => (
    <TextInput label={t(name)} description={hint} required autoComplete="off" {...form.getInputProps(name)} />
  );
  const secret = (name: 'token' | 'password' | 'value') => (
    <PasswordInput label={t(name)} required autoComplete="new-password" {...form.getInputProps(name)} />
  );
  return (
    <FormModal
      {...sending}
      close={close}
      title={credential ? t('replaceOf', { name: credential.name }) : t('create')}
      action={credential ? t('replace') : t('create')}
    >
      {credential ? (
        <Text size="sm">{t('replaceText')}</Text>
      ) : (
        <>
          <NameInput hint={t('nameHint')} {...form.getInputProps('name')} />
          <Select
            label={t('type')}
            data={credentialTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('type')}
          />
        </>
      )}
      {type === 'bearer' && secret('token')}
      {type === 'basic' && text('username')}
      {type === 'basic' && secret('password')}
      {type === 'header' &&
        text('header', t('headerHint', { placeholder: `{{credential.${form.values.name || '…'}}}` }))}
      {type === 'query' && text('parameter')}
      {(type === 'header' || type === 'query') && secret('value')}
      <TagsInput
        label={t('hosts')}
        description={t('hostsHint')}
        placeholder="api.example.com"
        required
        {...form.getInputProps('hosts')}
      />
    </FormModal>
  );
};
