import { Modal, Stack, TextInput } from '@mantine/core';
import { Form } from '../../../parts/form.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import type { PhoneInput } from './session.ts';
import { words } from './words.ts';

export type FormOfEvent = 'tag_applied' | 'order_placed' | 'order_status_changed';

type Props = { event: FormOfEvent; send: (input: PhoneInput) => void; close: () => void };

/** What an event tells: the tag, or the order. */
export const EventForm = ({ event, send, close }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { tag: '', number: '1001', status: event === 'order_placed' ? 'placed' : 'shipped' },
    onSubmit: async ({ tag, number, status }) => {
      send(
        event === 'tag_applied'
          ? { event, data: { tag: { name: tag.trim() } } }
          : { event, data: { order: { number, status, total: 2_000, currency: 'EUR' } } },
      );
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={words.event[event]} size="sm">
      <Form {...sending} action={words.eventForm.send}>
        <Stack gap="sm">
          {event === 'tag_applied' ? (
            <TextInput
              required
              data-autofocus
              label={words.eventForm.tag}
              maxLength={100}
              {...form.getInputProps('tag')}
            />
          ) : (
            <>
              <TextInput data-autofocus label={words.eventForm.number} {...form.getInputProps('number')} />
              <TextInput label={words.eventForm.status} {...form.getInputProps('status')} />
            </>
          )}
        </Stack>
      </Form>
    </Modal>
  );
};
