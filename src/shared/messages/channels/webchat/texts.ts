import { z } from 'zod';
import { defaultTexts, type TextName } from '../../../../../packages/webchat/src/default-texts.ts';

/** The most characters of a text: of one word or a few, and of a sentence. */
const most = { label: 60, sentence: 200 } as const;

const text = (length: keyof typeof most, name: TextName, about: string) => {
  const standing = defaultTexts[name] === '' ? 'Nothing' : `“${defaultTexts[name]}”`;
  return z
    .string()
    .trim()
    .min(1)
    .max(most[length])
    .optional()
    .meta({ description: `${about} ${standing} unless given.` });
};

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

/** What the chat says to visitors, by the names of its texts. */
export const textsSchema = z
  .strictObject({
    language: z
      .string()
      .max(35)
      .refine(isLanguage, { error: 'must be a language tag such as "de" or "pt-BR"' })
      .optional()
      .meta({ description: 'The language of these texts, as a tag: times and days follow it. `en` unless given.' }),
    launcher: text('label', 'launcher', 'Names the button for screen readers.'),
    close: text('label', 'close', 'Names the button of the open chat.'),
    hours: text('sentence', 'hours', 'Says when somebody answers, below the title.'),
    away: text('sentence', 'away', 'Is shown outside the office hours.'),
    placeholder: text('label', 'placeholder', 'Stands in the empty field.'),
    send: text('label', 'send', 'Names the button that sends.'),
    attach: text('label', 'attach', 'Names the button that chooses files.'),
    files: text('label', 'files', 'Names the list of files that go with the next message.'),
    uploading: text('label', 'uploading', 'Names the progress of a file.'),
    upload_failed: text('sentence', 'upload_failed', 'Stands beside a file that did not arrive.'),
    too_large: text('sentence', 'too_large', 'Stands beside a file that is too large.'),
    wrong_type: text('sentence', 'wrong_type', 'Stands beside a file of a type that is refused.'),
    empty_file: text('sentence', 'empty_file', 'Stands beside a file that has nothing in it.'),
    messages: text('label', 'messages', 'Names the conversation for screen readers.'),
    you: text('label', 'you', 'Names the visitor for screen readers.'),
    bot: text('label', 'bot', 'Names who says the greeting and what flows send.'),
    agent: text('label', 'agent', 'Names an agent who has no name.'),
    typing: text('label', 'typing', 'Follows the name of who types.'),
    sending: text('label', 'sending', 'Stands below a message that is on its way.'),
    sent: text('label', 'sent', 'Stands below a message that has arrived.'),
    seen: text('label', 'seen', 'Stands below a message that an agent has read.'),
    failed: text('sentence', 'failed', 'Stands below a message that was not sent.'),
    too_many: text('sentence', 'too_many', 'Says why a message or file is refused: too many came in a minute.'),
    sign_in: text('sentence', 'sign_in', 'Says why a message is refused: the channel requires an identity.'),
    question_over: text('sentence', 'question_over', 'Says why a quick reply is refused: its question is over.'),
    retry: text('label', 'retry', 'Sends such a message again.'),
    remove: text('label', 'remove', 'Removes such a message, or a file.'),
    full: text('sentence', 'full', 'Is shown while too many messages wait to be sent.'),
    offline: text('sentence', 'offline', 'Is shown while the browser has no connection.'),
    connecting: text('sentence', 'connecting', 'Is shown while the connection is made again.'),
    older: text('label', 'older', 'Loads older messages.'),
    latest: text('label', 'latest', 'Goes to the end of the conversation.'),
    image: text('label', 'image', 'Describes an image that has no name.'),
    open_image: text('label', 'open_image', 'Opens an image that the page may not show.'),
    file: text('label', 'file', 'Names a file that has no name.'),
    replies: text('label', 'replies', 'Names the quick replies for screen readers.'),
    unread: text('label', 'unread', 'Follows the number of unread messages, for screen readers.'),
  } satisfies Record<TextName, z.ZodType>)
  .meta({
    id: 'WebchatTexts',
    description: "The widget's texts in your own words. A change takes the place of all of them.",
    example: { language: 'de', placeholder: 'Schreib uns …', send: 'Nachricht senden' },
  });
