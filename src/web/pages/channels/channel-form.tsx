import { PasswordInput, TextInput } from '@mantine/core';
import { splitConfig } from '../../../shared/messages/channels/declaration.ts';
import { channelDeclarations } from '../../../shared/messages/channels/declarations.ts';
import { channelFields } from '../../../shared/messages/channels/schema.ts';
import type { Schemas } from '../../api/client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Written = { name: string } & Record<string, string>;

type ChannelFields = Omit<Schemas['NewChannel'], 'type'>;

/** The form follows from what the kind of channel declares. There is one kind so far. */
const declaration = channelDeclarations.api;
const { sealed, shown } = splitConfig(declaration);
const fields = [...shown, ...sealed].map((name) => ({ name, isSealed: sealed.includes(name) }));

/** What each field is called. A sealed one that stays empty `stays` as it is. */
const labels: Record<string, { label: string; hint: string; stays?: string }> = {
  callback_url: { label: words.callbackUrl, hint: words.callbackUrlHint },
  secret: { label: words.secret, hint: words.secretHint, stays: words.secretStays },
} satisfies Record<keyof typeof declaration.config.shape, object>;

/** An empty field is null, or not given where it is sealed. */
const readFields = ({ name, ...written }: Written): ChannelFields => {
  const given = fields.flatMap(({ name: field, isSealed }) => {
    const text = written[field] ?? '';
    if (isSealed) return text === '' ? [] : [[field, text]];
    return [[field, text.trim() || null]];
  });
  return { name, ...Object.fromEntries(given) };
};

/** What the form has, and which of it somebody has changed. */
export type ChannelWritten = { all: ChannelFields; changed: Partial<ChannelFields> };

type Props = {
  close: () => void;
  /** The channel that is changed; a new one when not given. */
  channel?: Schemas['Channel'];
  save: (written: ChannelWritten) => Promise<void>;
};

/** Name and config of a channel, a new one or one that is there. */
export const ChannelForm = ({ close, channel, save }: Props) => {
  const present = new Map<string, string | null>(Object.entries(channel ?? {}));
  const { form, ...state } = useApiForm<Written>({
    initialValues: {
      name: channel?.name ?? '',
      ...Object.fromEntries(fields.map(({ name }) => [name, present.get(name) ?? ''])),
    },
    schema: checkedAs(channelFields(declaration), readFields),
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
      {fields.map(({ name, isSealed }) => {
        const { label, hint, stays } = labels[name] ?? { label: name, hint: '' };
        const input = { label, description: (channel && stays) ?? hint, ...form.getInputProps(name) };
        return isSealed ? (
          <PasswordInput key={name} autoComplete="off" {...input} />
        ) : (
          <TextInput key={name} {...input} />
        );
      })}
    </FormModal>
  );
};
