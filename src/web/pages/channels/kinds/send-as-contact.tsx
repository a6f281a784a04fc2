import { Alert, Code, Group, List, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { inboundBody } from '../../../../shared/messages/inbound/schema.ts';
import { api, client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { checkedAs } from '../../../parts/checked-as.ts';
import { Form } from '../../../parts/form.tsx';
import { newRandomId } from '../../../parts/random-id.ts';
import { Section } from '../../../parts/section.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { To } from '../../../parts/to.tsx';
import { words } from '../words.ts';

type Written = { sender: string; first_name: string; text: string };

const readMessage = ({ sender, first_name, text }: Written, id = 'checked') => ({
  message_id: `dashboard-${id}`,
  sender: { external_id: sender, ...(first_name !== '' && { first_name }) },
  text,
});

/** The form's field that a place of the message comes from. */
const fieldOf = ([place, field]: readonly PropertyKey[]): string =>
  place === 'sender' ? (field === 'first_name' ? 'first_name' : 'sender') : 'text';

/** Hands in a message as the account's server would, so that the first event needs no server. */
export const SendAsContact = ({ channelId }: { channelId: string }) => {
  const [received, setReceived] = useState<Schemas['InboundAnswer']>();
  // The same until an answer comes: whoever presses again after a lost one sends nothing twice.
  const id = useRef(newRandomId());
  const { form, ...state } = useApiForm<Written>({
    initialValues: { sender: 'visitor-1', first_name: '', text: '' },
    schema: checkedAs(inboundBody, readMessage, fieldOf),
    onSubmit: async (values) => {
      setReceived(undefined);
      const { data } = await client.POST('/channels/{id}/inbound', {
        params: { path: { id: channelId } },
        body: readMessage(values, id.current),
      });
      id.current = newRandomId();
      if (!data || !('contact_id' in data)) return;
      setReceived(data);
      form.setFieldValue('text', '');
      await invalidate('/contacts', '/conversations', '/events', '/deliveries', '/overview');
    },
  });
  return (
    <Section title={words.try} description={words.tryHint}>
      <Form {...state} action={words.send}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={words.sender} description={words.senderHint} required {...form.getInputProps('sender')} />
          <TextInput label={words.firstName} description={words.firstNameHint} {...form.getInputProps('first_name')} />
        </SimpleGrid>
        <Textarea label={words.text} required autosize minRows={2} maxRows={8} {...form.getInputProps('text')} />
      </Form>
      <div role="status">{received && <Received {...received} />}</div>
    </Section>
  );
};

/** The deliveries of all events since a message, its contact's: a first one also tells of the contact, and flows may tell more. */
const deliveriesSince = ({ contact_id, created_at: since }: Schemas['Message']): string =>
  `/settings/logs/delivery?${new URLSearchParams({ status: 'all', contact_id, since }).toString()}`;

const Received = ({ message: { id }, contact_id, event_id, skipped_fields: skipped }: Schemas['InboundAnswer']) => {
  const { data: message } = api.useQuery('get', '/messages/{id}', { params: { path: { id } } });
  return (
    <Alert color="brand" variant="outline" title={words.received}>
      <Group gap="md">
        <To to={`/contacts/${contact_id}`}>{words.openContact}</To>
        {message && <To to={`/inbox/${message.conversation_id}`}>{words.openConversation}</To>}
        {event_id === null ? words.noEvent : message && <To to={deliveriesSince(message)}>{words.openDeliveries}</To>}
      </Group>
      {skipped.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {words.skipped}
          </Text>
          <List size="sm">
            {skipped.map(({ path, message }) => (
              <List.Item key={path}>
                <Code>{path}</Code> {message}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
};
