import { Button, Menu, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { newMessage } from '../../../../shared/messages/schema.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { checkedAs } from '../../../parts/checked-as.ts';
import { ContactStatusItems } from '../../../parts/contact-status-items.tsx';
import { FormModal } from '../../../parts/form-modal.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { words as contactWords } from '../words.ts';
import { words } from './words.ts';

type Props = { contact: Schemas['Contact']; edit: () => void };

/** What can be done with a contact: write to it, change it, and stop or allow messages. */
export const ContactActions = ({ contact, edit }: Props) => {
  const { id, status } = contact;
  const [isWriting, writing] = useDisclosure();

  return (
    <>
      {status === 'active' && <Button onClick={writing.open}>{words.sendMessage}</Button>}
      <Button variant="default" onClick={edit}>
        {contactWords.edit}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{words.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ContactStatusItems contact={contact} />
        </Menu.Dropdown>
      </Menu>
      {isWriting && <SendMessage contactId={id} close={writing.close} />}
    </>
  );
};

const SendMessage = ({ contactId: id, close }: { contactId: string; close: () => void }) => {
  const { form, ...state } = useApiForm({
    initialValues: { text: '' },
    schema: checkedAs<{ text: string }>(newMessage, (written) => written),
    onSubmit: async (body) => {
      await client.POST('/contacts/{id}/messages', { params: { path: { id } }, body });
      await invalidate('/contacts', '/conversations');
      showDone({ message: words.messageQueued });
      close();
    },
  });
  return (
    <FormModal {...state} close={close} title={words.sendMessage} action={words.send}>
      <Textarea
        label={words.text}
        description={words.textHint}
        required
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        {...form.getInputProps('text')}
      />
    </FormModal>
  );
};
