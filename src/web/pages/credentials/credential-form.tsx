import { PasswordInput, Select, TagsInput, Text, TextInput } from '@mantine/core';
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
import { clientOf, OAuth2Fields, readClient, type WrittenClient } from './oauth2-fields.tsx';
import { words } from './words.ts';

type Secret = 'token' | 'username' | 'password' | 'header' | 'parameter' | 'value';

/** A credential as its form has it. */
export type Written = { name: string; type: CredentialType; hosts: string[] } & Record<Secret, string> & WrittenClient;

type Props = {
  close: () => void;
  /** The credential whose value and hosts are replaced; a new one when not given. */
  credential?: Schemas['Credential'];
  /** What a new credential begins with. */
  proposed?: Partial<Written>;
  /** Gets a new credential. */
  created?: (credential: Schemas['Credential']) => void;
};

const readReplacement = ({ type, hosts, ...secrets }: Written): Schemas['CredentialReplacement'] => {
  const { token, username, password, header, parameter, value, ...client } = secrets;
  switch (type) {
    case 'bearer':
      return { type, hosts, token };
    case 'basic':
      return { type, hosts, username, password };
    case 'header':
      return { type, hosts, header, value };
    case 'query':
      return { type, hosts, parameter, value };
    case 'oauth2':
      return { type, hosts, ...readClient(client) };
    default:
      return unreachable(type);
  }
};

const readCredential = (written: Written): Schemas['NewCredential'] => ({
  name: written.name,
  ...readReplacement(written),
});

/** A credential, a new one or one whose value is replaced. What is typed is gone with the form. */
export const CredentialForm = ({ close, credential, proposed, created }: Props) => {
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
      ...clientOf(credential?.oauth2),
      ...proposed,
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
      if (saved && !credential) created?.(saved);
      await invalidate('/credentials');
      close();
    },
  });
  const { type } = form.values;
  const text = (name: 'username' | 'header' | 'parameter', hint?: string) => (
    <TextInput label={words[name]} description={hint} required autoComplete="off" {...form.getInputProps(name)} />
  );
  const secret = (name: 'token' | 'password' | 'value') => (
    <PasswordInput
      label={words[name]}
      // Some services take a key as the user name, and no password.
      required={name !== 'password'}
      autoComplete="new-password"
      {...form.getInputProps(name)}
    />
  );
  return (
    <FormModal
      {...sending}
      close={close}
      title={credential ? words.replaceOf(credential.name) : words.create}
      action={credential ? words.replace : words.create}
    >
      {credential ? (
        <Text size="sm">{words.replaceText}</Text>
      ) : (
        <>
          <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
          <Select
            label={words.type}
            data={credentialTypes.map((value) => ({ value, label: words.types[value] }))}
            allowDeselect={false}
            {...form.getInputProps('type')}
          />
        </>
      )}
      {type === 'oauth2' && (
        <OAuth2Fields
          inputOf={(name) => form.getInputProps(name)}
          grantType={form.values.grant_type}
          keepsToken={credential?.oauth2?.grant_type === 'refresh_token'}
        />
      )}
      {type === 'bearer' && secret('token')}
      {type === 'basic' && text('username')}
      {type === 'basic' && secret('password')}
      {type === 'header' && text('header', words.headerHint(`{{credential.${form.values.name || '…'}}}`))}
      {type === 'query' && text('parameter')}
      {(type === 'header' || type === 'query') && secret('value')}
      <TagsInput
        label={words.hosts}
        description={words.hostsHint}
        placeholder="api.example.com"
        required
        {...form.getInputProps('hosts')}
      />
    </FormModal>
  );
};
