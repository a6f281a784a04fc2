import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { newDashboardWebhook } from '../../../shared/webhooks/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { KeptWarnings } from '../../parts/kept-warnings.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useFocusBack } from '../../parts/use-focus-back.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { CheckOutcome } from './check-outcome.tsx';
import { EventsField } from './events-field.tsx';
import { VerifyAgain } from './verify-again.tsx';
import { words } from './words.ts';

type Webhook = Schemas['DashboardWebhook'];

type Props = { close: () => void };

const nothing: Schemas['NewDashboardWebhook'] = { url: '', events: ['*'] };

/** Registers a dashboard webhook, and shows what its endpoint answered to the challenge (specification 2.4). */
export const Register = ({ close }: Props) => {
  const { installation } = useSignedIn();
  const [registered, setRegistered] = useState<Webhook>();
  useFocusBack();
  const { form, submit, isSending, failure } = useApiForm({
    initialValues: nothing,
    schema: newDashboardWebhook,
    onSubmit: async (body) => {
      const { data } = await client.POST('/webhooks', { body });
      setRegistered(data);
      if (data) keepWarnings(data.id, data.warnings);
      await invalidate('/webhooks');
    },
  });
  if (registered) return <Registered webhook={registered} onVerified={setRegistered} end={close} />;
  return (
    <FormModal close={close} title={words.add} action={words.save} size="lg" {...{ submit, isSending, failure }}>
      <Text size="sm" c="dimmed">
        {words.registerText}
      </Text>
      <TextInput
        label={words.url}
        description={installation.private_addresses_allowed ? words.urlHintPrivate : words.urlHint}
        placeholder="https://example.com/parley"
        type="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <EventsField variant="dashboard" {...form.getInputProps('events')} />
    </FormModal>
  );
};

type RegisteredProps = { webhook: Webhook; onVerified: (webhook: Webhook) => void; end: () => void };

const Registered = ({ webhook, onVerified, end }: RegisteredProps) => {
  const { id, status, last_check } = webhook;
  return (
    <Modal opened onClose={end} title={words.add} size="lg" transitionProps={{ duration: 0 }}>
      <Stack gap="sm">
        {last_check && (
          <CheckOutcome
            check={last_check}
            title={status === 'active' ? words.outcomes.verified : words.outcomes.refused}
          />
        )}
        <KeptWarnings of={id} names={{ url: words.url }} />
        <Group justify="flex-end">
          {status === 'disabled' && <VerifyAgain id={id} onVerified={onVerified} />}
          <Button variant="default" component={Link} to={`/settings/webhooks/${id}`}>
            {words.open}
          </Button>
          <Button onClick={end}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
