import { Button, PasswordInput } from '@mantine/core';
import { channelFields } from '../../../../shared/messages/channels/schema.ts';
import { telegramDeclaration } from '../../../../shared/messages/channels/telegram/declaration.ts';
import { Section } from '../../../parts/section.tsx';
import { words } from '../words.ts';
import type { FieldsProps, KindOfChannel } from './kind.ts';

const own = words.telegram;

const Fields = ({ form, isNew }: FieldsProps) => (
  <PasswordInput
    label={own.token}
    description={isNew ? own.tokenHint : own.tokenStays}
    required={isNew}
    autoComplete="off"
    {...form.getInputProps('bot_token')}
  />
);

const Parts: KindOfChannel['Parts'] = ({ channel }) =>
  channel.type === 'telegram' && (
    <Section title={own.try} description={own.tryHint}>
      <div>
        <Button
          component="a"
          href={`https://t.me/${encodeURIComponent(channel.bot_username)}`}
          target="_blank"
          rel="noreferrer"
          variant="default"
        >
          {own.open}
        </Button>
      </div>
    </Section>
  );

/** A Telegram bot, to which contacts write. */
export const telegramKind: KindOfChannel = {
  title: own.title,
  hint: own.hint,
  // A token that is left empty stays, and the fields themselves say when they are missing.
  schema: channelFields(telegramDeclaration).partial(),
  write: () => ({ bot_token: '' }),
  read: ({ bot_token: token }) => (token === '' ? {} : { bot_token: String(token) }),
  Fields,
  names: { bot_token: own.token },
  lead: (channel) => [own.bot, channel.type === 'telegram' ? `${channel.bot_name} (@${channel.bot_username})` : ''],
  Parts,
};
