import { Button, Collapse, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { defaultTexts, type TextName } from '../../../../../packages/webchat/src/default-texts.ts';
import { textsSchema } from '../../../../shared/messages/channels/webchat/texts.ts';
import { words as all } from '../words.ts';
import type { FieldsProps } from './kind.ts';

const words = all.webchat.texts;

/** As the form holds them: empty where the widget's own is used. */
type Written = Record<TextName, string>;

/** The names in their order. */
const names = textsSchema.keyof().options;

/** What the form begins with. */
export const writeTexts = (present: Partial<Record<TextName, string | undefined>> | null | undefined): Written =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name has its entry
  Object.fromEntries(names.map((name) => [name, present?.[name] ?? ''])) as Written;

/** The texts that somebody has written. */
export const readTexts = (written: unknown): Partial<Written> => {
  const given = Object.entries(typeof written === 'object' && written !== null ? written : {});
  return Object.fromEntries(
    given.flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' && text.trim() !== '' ? [[name, text.trim()]] : [],
    ),
  );
};

/** Where the texts are read: those that a visitor sees first. */
const groups: readonly { label: string; own: readonly TextName[] }[] = [
  {
    label: words.groups.first,
    own: ['language', 'placeholder', 'hours', 'away', 'bot', 'agent', 'launcher', 'close', 'unread'],
  },
  {
    label: words.groups.talk,
    own: ['you', 'typing', 'messages', 'replies', 'older', 'latest', 'sending', 'sent', 'seen', 'send'],
  },
  { label: words.groups.files, own: ['attach', 'files', 'uploading', 'image', 'open_image', 'file'] },
  {
    label: words.groups.trouble,
    own: [
      'too_large',
      'wrong_type',
      'empty_file',
      'upload_failed',
      'failed',
      'too_many',
      'sign_in',
      'question_over',
      'retry',
      'remove',
      'full',
      'offline',
      'connecting',
    ],
  },
];

const mostOf = (name: TextName): number | undefined => textsSchema.shape[name].unwrap().maxLength ?? undefined;

/** The widget's texts, folded until somebody words them: most sites speak English, or need none. */
export const WebchatTexts = ({ form }: Pick<FieldsProps, 'form'>) => {
  const [isUnfolded, { toggle }] = useDisclosure();
  const isRefused = Object.keys(form.errors).some((path) => path.startsWith('texts'));
  const isOpen = isUnfolded || isRefused;
  const id = useId();
  return (
    <Stack gap={4}>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          px={4}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          leftSection={isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        >
          {words.change}
        </Button>
      </div>
      <Text size="xs" c="dimmed">
        {words.hint}
      </Text>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="md" pt="xs">
          {groups.map(({ label, own }) => (
            <Stack key={label} gap="xs" component="fieldset" m={0} p={0} bd={0}>
              <Text component="legend" size="sm" fw={600} p={0} mb={6}>
                {label}
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
                {own.map((name) => (
                  <TextInput
                    key={name}
                    size="xs"
                    label={words.names[name]}
                    placeholder={defaultTexts[name]}
                    maxLength={mostOf(name)}
                    dir="auto"
                    {...form.getInputProps(`texts.${name}`)}
                  />
                ))}
              </SimpleGrid>
            </Stack>
          ))}
        </Stack>
      </Collapse>
    </Stack>
  );
};
