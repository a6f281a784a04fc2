import { PasswordInput, TextInput } from '@mantine/core';
import { channelChanges } from '../../../shared/messages/channels/schema.ts';
import type { Schemas } from '../../api/client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Written = { name: string; callback_url: string; secret: string };

type ChannelFields = { name: string; callback_url: string | null; secret?: string };

const readFields = ({ name, callback_url, secret }: Written): ChannelFields => ({
  name,
  callback_url: callback_url.trim() || null,
  ...(secret !== '' && { secret }),
});

/** What the form has, and which of it somebody has changed. */
export type ChannelWritten = { all: ChannelFields; changed: Partial<ChannelFields> };

type Props = {
  close: () => void;
  /** The channel that is changed; a new one when not given. */
  channel?: Schemas['Channel'];
  save: (written: ChannelWritten) => Promise<void>;
};

/** Name, callback url and secret of a channel, a new one or one that is there. */
export const ChannelForm = ({ close, channel, save }: Props) => {
  const { form, ...state } = useApiForm<Written>({
    initialValues: { name: channel?.name ?? '', callback_url: channel?.callback_url ?? '', secret: '' },
    schema: checkedAs(channelChanges, readFields),
    onSubmit: (values, pickChanged) => {
      const all = readFields(values);
      return save({ all, changed: pickChanged(all) });
    },
  });
  return (
    <FormModal
      {...state}
      close={close}
      title={channel ? words.edit : words.create}
      action={channel ? commonWords.save : words.create}
    >
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
      <TextInput
        label={words.callbackUrl}
        description={words.callbackUrlHint}
        type="url"
        {...form.getInputProps('callback_url')}
      />
      <PasswordInput
        label={words.secret}
        description={channel ? words.secretStays : words.secretHint}
        autoComplete="off"
        {...form.getInputProps('secret')}
      />
    </FormModal>
  );
};
