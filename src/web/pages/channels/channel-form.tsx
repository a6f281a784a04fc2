import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import type { KindOfChannel, Written } from './kinds/kind.ts';
import { kindsOfChannels, type TypeOfChannel } from './kinds/kinds.ts';
import { words } from './words.ts';

type ChannelFields = Schemas['ChannelChanges'] & { name: string };

/** What the form has, and which of it somebody has changed. */
export type ChannelWritten = { type: TypeOfChannel; all: ChannelFields; changed: Partial<ChannelFields> };

type Props = {
  close: () => void;
  /** The channel that is changed; a new one when not given. */
  channel?: Schemas['Channel'];
  save: (written: ChannelWritten) => Promise<void>;
};

/** Parts of these values have fields of their own. Any other value has one field, which shows all that is wrong with it. */
const inParts: readonly PropertyKey[] = ['texts', 'office_hours'];

const fieldOf = ([name = '', ...below]: readonly PropertyKey[]): string =>
  inParts.includes(name) ? [name, ...below].join('.') : String(name);

/** Type, name and config of a channel, a new one or one that is there. */
export const ChannelForm = ({ close, channel, save }: Props) => {
  const [type, setType] = useState<TypeOfChannel>(channel?.type ?? 'webchat');
  const kind: KindOfChannel = kindsOfChannels[type];
  const readFields = (written: Written): ChannelFields => ({ name: written.name, ...kind.read(written) });
  const { form, ...state } = useApiForm<Written>({
    initialValues: {
      name: channel?.name ?? '',
      // A new channel's type may change while it is written.
      ...Object.assign({}, ...Object.values(kindsOfChannels).map(({ write }) => write(channel))),
    },
    schema: checkedAs(kind.schema, readFields, fieldOf),
    onSubmit: (values, pickChanged) => {
      const all = readFields(values);
      return save({ type, all, changed: pickChanged(all) });
    },
  });
  return (
    <FormModal
      {...state}
      close={close}
      title={channel ? words.edit : words.create}
      action={channel ? commonWords.save : words.create}
      size="lg"
    >
      {!channel && <TypeChoice type={type} choose={setType} />}
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} />
      <kind.Fields form={form} isNew={!channel} />
    </FormModal>
  );
};

const isType = (text: string): text is TypeOfChannel => Object.hasOwn(kindsOfChannels, text);

const TypeChoice = ({ type, choose }: { type: TypeOfChannel; choose: (type: TypeOfChannel) => void }) => (
  <Radio.Group
    label={words.type}
    value={type}
    onChange={(chosen) => {
      if (isType(chosen)) choose(chosen);
    }}
  >
    <Stack gap="xs" mt={4}>
      {Object.entries<KindOfChannel>(kindsOfChannels).map(([value, { title, hint }]) => (
        <Radio key={value} value={value} label={title} description={hint} />
      ))}
    </Stack>
  </Radio.Group>
);
