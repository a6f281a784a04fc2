import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { mayBeSentTo } from '../../../../shared/credentials/hosts.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useList } from '../../../parts/use-list.ts';
import { CredentialForm, type Written } from '../../credentials/credential-form.tsx';
import { words as credentialWords } from '../../credentials/words.ts';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { useAt } from '../panel/controls/use-at.ts';
import { FieldProblems } from '../panel/problems/field-problems.tsx';
import { hostOf } from './read-request.ts';
import { proposeCredential, replaceSecret, typedSecretsOf, type TypedSecret } from './typed-secrets.ts';
import { words } from './words.ts';

/** What proves to the other service who asks. */
export const AuthPart = ({ block, set }: BlockFormProps) => {
  const { problems, problemsId, described } = useAt('credential');
  // An account has at most as many.
  const { rows = [] } = useList('/credentials', { limit: 200 });
  const [created, setCreated] = useState<{ proposed: Partial<Written>; typed?: TypedSecret }>();
  const name = textOf(block, 'credential');
  const chosen = rows.find((one) => one.name === name);
  const host = hostOf(textOf(block, 'url'));
  const secrets = typedSecretsOf(block);
  return (
    <Stack gap="md">
      <Stack gap={6} data-field="credential">
        <Select
          label={words.credential}
          description={words.credentialHint}
          placeholder={words.noCredential}
          data={[
            ...(name !== '' && !chosen ? [{ value: name, label: words.unknownCredential(name) }] : []),
            ...rows.map((one) => ({ value: one.name, label: one.name })),
          ]}
          searchable
          clearable
          value={name === '' ? null : name}
          {...described}
          onChange={(next) => set({ credential: next ?? undefined })}
        />
        <FieldProblems id={problemsId} problems={problems} />
        {chosen && (
          <Facts
            facts={[
              [words.sentAs, credentialWords.sent[chosen.type](chosen.param ?? '')],
              [words.hosts, chosen.hosts.join(', ')],
            ]}
          />
        )}
        {chosen && host !== undefined && !mayBeSentTo(chosen.hosts, host) && (
          <Alert color="orange">{words.wrongHost(host)}</Alert>
        )}
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => setCreated({ proposed: { hosts: host === undefined ? [] : [host] } })}
          >
            {words.createCredential}
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          {words.elsewhere}
        </Text>
      </Stack>
      {secrets.length > 0 && (
        <Stack gap="xs" component="section" aria-label={words.typedSecrets}>
          {secrets.map((typed) => (
            <Alert key={`${typed.table} ${typed.name}`} color="orange" icon={<IconLock size={18} aria-hidden />}>
              <Stack gap={6} align="flex-start">
                <Text size="sm">{words.typedSecret(typed.name)}</Text>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => {
                    const proposed = proposeCredential(
                      block,
                      typed,
                      rows.map((one) => one.name),
                    );
                    if (proposed) setCreated({ proposed, typed });
                  }}
                >
                  {words.createCredential}
                </Button>
              </Stack>
            </Alert>
          ))}
        </Stack>
      )}
      {created && (
        <CredentialForm
          proposed={created.proposed}
          created={(credential) =>
            set(
              created.typed ? replaceSecret(block, created.typed, credential.name) : { credential: credential.name },
              'credential',
            )
          }
          close={() => setCreated(undefined)}
        />
      )}
    </Stack>
  );
};
