import { PasswordInput, TextInput } from '@mantine/core';
import { apiDeclaration } from '../../../../shared/messages/channels/api/declaration.ts';
import { channelFields } from '../../../../shared/messages/channels/schema.ts';
import { words } from '../words.ts';
import { HandIn } from './hand-in.tsx';
import type { FieldsProps, KindOfChannel } from './kind.ts';
import { SendAsContact } from './send-as-contact.tsx';

const Fields = ({ form, isNew }: FieldsProps) => (
  <>
    <TextInput label={words.callbackUrl} description={words.callbackUrlHint} {...form.getInputProps('callback_url')} />
    <PasswordInput
      label={words.secret}
      description={isNew ? words.secretHint : words.secretStays}
      autoComplete="off"
      {...form.getInputProps('secret')}
    />
  </>
);

/** An account's own server hands in what contacts write. */
export const apiKind: KindOfChannel = {
  title: words.api.title,
  hint: words.api.hint,
  secretHint: words.shownOnce,
  rotateText: words.rotateText,
  schema: channelFields(apiDeclaration),
  write: (channel) => ({ callback_url: (channel?.type === 'api' && channel.callback_url) || '', secret: '' }),
  // An empty url is none; a secret that is left empty stays.
  read: ({ callback_url: url, secret }) => ({
    callback_url: String(url).trim() || null,
    ...(secret !== '' && { secret: String(secret) }),
  }),
  Fields,
  names: { callback_url: words.callbackUrl, secret: words.secret },
  lead: (channel) => [words.callbackUrl, (channel.type === 'api' && channel.callback_url) || words.noCallback],
  Parts: ({ channel: { id } }) => (
    <>
      <SendAsContact channelId={id} />
      <HandIn channelId={id} />
    </>
  ),
};
