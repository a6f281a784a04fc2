import { Alert, List, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { signatureToCheck } from '../../../shared/webhooks/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { Form } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useNow } from '../../parts/use-now.ts';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

type Webhook = Pick<Schemas['DashboardWebhook'], 'id' | 'variant'>;
type Check = Schemas['SignatureCheck'];
type Pasted = { body: string; signature: string; id: string; timestamp: string };
/** What was found, and of what: it is no word about what is pasted afterwards. */
type Checked = { check: Check; pasted: Pasted };

const isSame = (one: Pasted, other: Pasted): boolean =>
  (['body', 'signature', 'id', 'timestamp'] as const).every((name) => one[name] === other[name]);

/** The signature of Standard Webhooks, which also covers id and time. */
const isStandard = (signature: string): boolean => /\bv1,/.test(signature);

const read = ({ body, signature, id, timestamp }: Pasted): Schemas['SignatureToCheck'] => ({
  body,
  signature,
  ...(isStandard(signature) && id !== '' && { id: id.trim() }),
  ...(isStandard(signature) && timestamp !== '' && { timestamp: timestamp.trim() }),
});

/** Says whether a signature that a receiver got, or computed, is right, and otherwise which mistake was made. */
export const SignatureCheck = ({ webhook: { id, variant } }: { webhook: Webhook }) => {
  const [checked, setChecked] = useState<Checked>();
  const { form, ...state } = useApiForm<Pasted>({
    initialValues: { body: '', signature: '', id: '', timestamp: '' },
    schema: checkedAs(signatureToCheck, read),
    onSubmit: async (values) => {
      setChecked(undefined);
      const body = read(values);
      const { data } = await client.POST('/webhooks/{id}/check-signature', { params: { path: { id } }, body });
      if (data) setChecked({ check: data, pasted: values });
    },
  });
  return (
    <Section title={words.receiving.check} description={words.receiving.checkHint}>
      <Form {...state} action={words.receiving.checkIt}>
        <Textarea
          label={words.receiving.body}
          description={words.receiving.bodyHint}
          required
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('body')}
        />
        <TextInput
          label={words.receiving.signature}
          description={words.receiving.signatureHint}
          required
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('signature')}
        />
        {isStandard(form.values.signature) && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="webhook-id" required autoComplete="off" {...form.getInputProps('id')} />
            <TextInput
              label="webhook-timestamp"
              required
              autoComplete="off"
              inputMode="numeric"
              {...form.getInputProps('timestamp')}
            />
          </SimpleGrid>
        )}
      </Form>
      <div role="status">
        {checked && isSame(checked.pasted, form.values) && <Outcome {...checked} variant={variant} />}
      </div>
    </Section>
  );
};

type OutcomeProps = Checked & { variant: Webhook['variant'] };

const Outcome = ({ check: { valid, header, secret, problems }, pasted, variant }: OutcomeProps) => {
  const title = valid ? 'matches' : secret === null ? 'mismatches' : 'nearly';
  return (
    <Alert color={valid ? 'teal' : 'red'} variant="light" title={words.receiving[title]}>
      <Stack gap="xs">
        {header && valid && <Text size="sm">{words.receiving.headerOf(header)}</Text>}
        {problems.length > 0 && (
          <List size="sm" spacing={4}>
            {problems.map(({ code }) => (
              <List.Item key={code}>
                {words.receiving.problems[code]} {code === 'mismatch' && words.receiving.secretsOf[variant]}
              </List.Item>
            ))}
          </List>
        )}
        {secret === 'previous' && <Text size="sm">{words.receiving.previousSecret}</Text>}
        {secret !== null && header === 'webhook-signature' && pasted.timestamp !== '' && (
          <Age timestamp={pasted.timestamp} />
        )}
      </Stack>
    </Alert>
  );
};

/** Receivers refuse what is older, in ms. */
const usualToleranceMs = 300_000;

/** When a signature was made, and whether a receiver that looks at its age would still take it. */
const Age = ({ timestamp }: { timestamp: string }) => {
  const nowMs = useNow();
  const at = new Date(Number(timestamp) * 1_000);
  if (Number.isNaN(at.getTime())) return null;
  const isOld = Math.abs(nowMs - at.getTime()) > usualToleranceMs;
  return (
    <Text size="sm" component="div">
      {words.receiving.madeAt} <Time at={at.toISOString()} format="exact" />. {isOld && words.receiving.tooOld}
    </Text>
  );
};
