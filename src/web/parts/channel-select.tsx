import { Select } from '@mantine/core';
import { conversationWords } from '../words/conversations.ts';
import { useList } from './use-list.ts';

type Props = {
  /** A channel's id, or undefined for all of them. */
  value: string | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (id: string | null) => void;
};

/** The most that are offered, the newest. */
const most = 200;

/** Chooses one of the account's channels, or all. */
export const ChannelSelect = ({ value, onChange }: Props) => {
  const { rows } = useList('/channels', { limit: most });
  const options = new Map((rows ?? []).map(({ id, name }) => [id, name]));
  // One that is not offered is named by its id, so that it can be taken away.
  if (value !== undefined && !options.has(value)) options.set(value, value);
  return (
    <Select
      label={conversationWords.channel}
      placeholder={conversationWords.anyChannel}
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
    />
  );
};
