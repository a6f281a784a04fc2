import { Textarea, TextInput } from '@mantine/core';
import { cannedReplyLimits, newCannedReply } from '../../../shared/canned-replies/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { words } from './words.ts';

type Props = {
  close: () => void;
  /** The one that is changed; a new one when not given. */
  reply?: Schemas['CannedReply'];
};

/** The shortcut and the text of a canned reply. */
export const CannedReplyForm = ({ close, reply }: Props) => {
  const { form, ...sending } = useApiForm({
    initialValues: { shortcut: reply?.shortcut ?? '', text: reply?.text ?? '' },
    schema: newCannedReply,
    onSubmit: async (body, pickChanged) => {
      if (reply)
        await client.PATCH('/canned-replies/{id}', { params: { path: { id: reply.id } }, body: pickChanged(body) });
      else await client.POST('/canned-replies', { body });
      await invalidate('/canned-replies');
      close();
    },
  });
  return (
    <FormModal
      {...sending}
      close={close}
      title={reply ? words.editOf(reply.shortcut) : words.create}
      action={reply ? words.edit : words.create}
    >
      <TextInput
        label={words.shortcut}
        description={words.shortcutHint}
        leftSection="/"
        required
        maxLength={cannedReplyLimits.shortcut}
        data-autofocus
        {...form.getInputProps('shortcut')}
      />
      <Textarea
        label={words.text}
        description={words.textHint}
        required
        autosize
        minRows={3}
        maxRows={12}
        maxLength={cannedReplyLimits.text}
        {...form.getInputProps('text')}
      />
    </FormModal>
  );
};
