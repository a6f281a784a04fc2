import { Fieldset, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { mayBeSentTo } from '../../../../shared/credentials/hosts.ts';
import type { CredentialProposal } from '../../../../shared/flows/curl/proposals.ts';
import { words as credentialWords } from '../../credentials/words.ts';
import { templateOf } from './read-request.ts';
import { words } from './words.ts';

type Existing = { name: string; hosts: readonly string[] };

/** What becomes of one secret: a new credential, one that is there, or nothing. */
export type Decision = {
  proposal: CredentialProposal;
  kind: 'create' | 'use' | 'omit';
  /** Of the credential that is created or used. */
  name: string;
  /** The parts of its secret, as they are typed. */
  values: Readonly<Record<string, string>>;
};

const partsOf = ({
  type,
}: CredentialProposal['credential']): readonly ('token' | 'username' | 'password' | 'value')[] =>
  type === 'bearer' ? ['token'] : type === 'basic' ? ['username', 'password'] : ['value'];

const isFor = ({ hosts }: Existing, host: string): boolean => mayBeSentTo(hosts, host);

/** A secret becomes a credential. One that the text does not say is most likely there already, where the host has a credential. */
export const beginDecision = (proposal: CredentialProposal, existing: readonly Existing[]): Decision => {
  const { credential, missing } = proposal;
  const [host = ''] = credential.hosts;
  const known = missing.length > 0 ? existing.find((one) => isFor(one, host)) : undefined;
  const given: Readonly<Record<string, unknown>> = credential;
  const values = partsOf(credential).map((part) => [part, templateOf(given[part])]);
  return {
    proposal,
    kind: known ? 'use' : 'create',
    name: known?.name ?? credential.name,
    values: Object.fromEntries(values),
  };
};

/** The credential that is created. */
export const readDecision = ({
  proposal: { credential },
  name,
  values,
}: Decision): CredentialProposal['credential'] => ({
  ...credential,
  name,
  ...values,
});

type Props = {
  decision: Decision;
  existing: readonly Existing[];
  /** What is wrong with the new credential, by its fields. */
  problems: ReadonlyMap<string, string>;
  change: (next: Partial<Decision>) => void;
};

/** Asks what becomes of one secret of a cURL command. */
export const CurlSecret = ({ decision, existing, problems, change }: Props) => {
  const { proposal, kind, name, values } = decision;
  const { credential, at } = proposal;
  const [host = ''] = credential.hosts;
  const choose = (chosen: string | null): void => {
    if (chosen === 'create' || chosen === 'omit') change({ kind: chosen, name: credential.name });
    else if (chosen?.startsWith('use ')) change({ kind: 'use', name: chosen.slice(4) });
  };
  return (
    <Fieldset legend={words.curl.secret(at === 'credential' ? host : at)}>
      <Stack gap="xs">
        <Select
          label={words.curl.becomes}
          data={[
            { value: 'create', label: words.curl.creates },
            ...existing
              .filter((one) => isFor(one, host))
              .map((one) => ({ value: `use ${one.name}`, label: words.curl.uses(one.name) })),
            { value: 'omit', label: words.curl.omits },
          ]}
          allowDeselect={false}
          value={kind === 'use' ? `use ${name}` : kind}
          onChange={choose}
        />
        {kind === 'create' && (
          <>
            <TextInput
              label={words.credential}
              value={name}
              error={problems.get('name')}
              autoComplete="off"
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            {partsOf(credential).map((part) => (
              <PasswordInput
                key={part}
                label={credentialWords[part]}
                value={values[part] ?? ''}
                error={problems.get(part)}
                autoComplete="new-password"
                onChange={({ currentTarget }) => change({ values: { ...values, [part]: currentTarget.value } })}
              />
            ))}
            <Text size="xs" c="dimmed">
              {credentialWords.types[credential.type]} · {host}
            </Text>
          </>
        )}
      </Stack>
    </Fieldset>
  );
};
