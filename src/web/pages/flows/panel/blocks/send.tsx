import { Stack } from '@mantine/core';
import { ListField } from '../controls/list.tsx';
import { TemplateField } from '../controls/template-field.tsx';
import { words as all } from './words.ts';

const words = all.send;

/** The most messages of a block, and quick replies of a message. */
const most = 10;

/** What is sent to the contact. */
export const SendForm = () => (
  <ListField
    path="messages"
    label={words.messages}
    nameOf={words.message}
    add={{ create: () => ({ text: '' }), label: words.addMessage }}
    most={most}
  >
    {(path) => (
      <Stack gap="xs">
        <TemplateField path={`${path}.text`} label={words.text} lines={3} />
        <TemplateField path={`${path}.image_url`} label={words.image} placeholder="https://" isOptional />
        <ListField
          path={`${path}.quick_replies`}
          label={words.replies}
          nameOf={words.reply}
          add={{ create: () => '', label: words.addReply }}
          most={most}
          isOptional
          isCompact
        >
          {(reply, index) => <TemplateField path={reply} label={words.reply(index + 1)} isLabelHidden />}
        </ListField>
      </Stack>
    )}
  </ListField>
);
