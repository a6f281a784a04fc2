import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dashboardWebhookChanges } from '../../../shared/webhooks/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { useFocusBack } from '../../parts/use-focus-back.ts';
import { commonWords } from '../../words/common.ts';
import { CheckOutcome } from './check-outcome.tsx';
import { chosenOf, EventsField, type EventChoice } from './events-field.tsx';
import { VerifyAgain } from './verify-again.tsx';
import { words } from './words.ts';

type Webhook = Schemas['DashboardWebhook'];

type Props = { webhook: Webhook; close: () => void };

type Fields = { url: string; events: EventChoice[] };

/** Changes url and events. What a dashboard webhook's new endpoint answers to its challenge is shown at once. */
export const EditWebhook = ({ webhook: { id, url, pending_url, status, variant, events }, close }: Props) => {
  const present = pending_url ?? url;
  const [asked, setAsked] = useState<Webhook>();
  useFocusBack();
  const { form, submit, isSending, failure } = useApiForm<Fields>({
    initialValues: { url: present, events: chosenOf(events) },
    schema: checkedAs<Fields>(dashboardWebhookChanges, (fields) => fields),
    onSubmit: async (fields, pickChanged) => {
      const isMoved = fields.url !== present;
      const body = pickChanged(fields);
      const { data } = await client.PATCH('/webhooks/{id}', { params: { path: { id } }, body });
      keepWarnings(id, data?.warnings, body);
      await invalidate('/webhooks');
      // Going back to the address in force asks nobody.
      const isAsked = variant === 'dashboard' && isMoved && (status === 'disabled' || fields.url !== url);
      if (isAsked && data) setAsked(data);
      else close();
    },
  });
  if (asked) return <Asked webhook={asked} onVerified={setAsked} end={close} />;
  return (
    <FormModal close={close} title={words.edit} action={commonWords.save} size="lg" {...{ submit, isSending, failure }}>
      <Text size="sm" c="dimmed">
        {variant === 'api' ? words.urlOfApi : words.urlOfDashboard}
      </Text>
      <TextInput label={words.url} type="url" required data-autofocus {...form.getInputProps('url')} />
      <EventsField variant={variant} {...form.getInputProps('events')} />
    </FormModal>
  );
};

type AskedProps = { webhook: Webhook; onVerified: (webhook: Webhook) => void; end: () => void };

const Asked = ({ webhook: { id, last_check }, onVerified, end }: AskedProps) => {
  if (!last_check) return null;
  return (
    <Modal opened onClose={end} title={words.edit} size="lg" transitionProps={{ duration: 0 }}>
      <Stack gap="sm">
        <CheckOutcome check={last_check} title={last_check.ok ? words.outcomes.urlInForce : words.outcomes.urlWaits} />
        <Group justify="flex-end">
          {!last_check.ok && <VerifyAgain id={id} onVerified={onVerified} />}
          <Button onClick={end}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
