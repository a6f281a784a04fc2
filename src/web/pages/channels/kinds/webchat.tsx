import { Checkbox, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { channelFields } from '../../../../shared/messages/channels/schema.ts';
import { webchatDeclaration } from '../../../../shared/messages/channels/webchat/declaration.ts';
import { words as all } from '../words.ts';
import type { FieldsProps, KindOfChannel } from './kind.ts';
import { readHours, WebchatHours, writeHours } from './webchat-hours.tsx';
import { WebchatParts } from './webchat-parts.tsx';
import { WebchatPreview } from './webchat-preview.tsx';
import { readTexts, WebchatTexts, writeTexts } from './webchat-texts.tsx';

const words = all.webchat;

/** Sites as somebody types them: a name alone is one with https. */
const readSites = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((site) => site !== '')
    .map((site) => (site.includes('://') ? site : `https://${site}`));

const Fields = ({ form }: FieldsProps) => {
  const position = form.getInputProps('position');
  return (
    <>
      <Textarea
        label={words.sites}
        description={words.sitesHint}
        placeholder="https://shop.example"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('origins')}
      />
      <TextInput label={words.head} description={words.headHint} {...form.getInputProps('title')} />
      <Textarea
        label={words.greeting}
        description={words.greetingHint}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('greeting')}
      />
      <TextInput type="color" label={words.color} description={words.colorHint} {...form.getInputProps('color')} />
      <Stack gap={4}>
        <Text size="sm" fw={500} id="webchat-position">
          {words.position}
        </Text>
        <SegmentedControl
          aria-labelledby="webchat-position"
          data={[
            { value: 'left', label: words.left },
            { value: 'right', label: words.right },
          ]}
          {...position}
        />
      </Stack>
      <WebchatPreview
        title={String(form.values['title']) || form.values.name || words.title}
        greeting={String(form.values['greeting'])}
        color={String(form.values['color'])}
        position={form.values['position'] === 'left' ? 'left' : 'right'}
        texts={readTexts(form.values['texts'])}
        office_hours={form.values['office_hours']}
      />
      <WebchatTexts form={form} />
      <WebchatHours form={form} />
      <Checkbox
        label={words.requireIdentity}
        description={words.requireIdentityHint}
        {...form.getInputProps('require_identity', { type: 'checkbox' })}
      />
      <NumberInput
        label={words.mail}
        description={words.mailHint}
        suffix={words.minutes}
        min={1}
        max={24 * 60}
        allowDecimal={false}
        {...form.getInputProps('mail_after_minutes')}
      />
    </>
  );
};

/** A chat on the account's own sites. */
export const webchatKind: KindOfChannel = {
  title: words.title,
  hint: words.hint,
  secretHint: words.shownOnce,
  rotateText: words.rotateText,
  schema: channelFields(webchatDeclaration),
  write: (channel) => {
    const present = channel?.type === 'webchat' ? channel : undefined;
    return {
      origins: (present?.origins ?? []).join('\n'),
      title: present?.title ?? '',
      greeting: present?.greeting ?? '',
      color: present?.color ?? '#0b7285',
      position: present?.position ?? 'right',
      texts: writeTexts(present?.texts),
      office_hours: writeHours(present?.office_hours),
      require_identity: present?.require_identity ?? false,
      mail_after_minutes: String(present?.mail_after_minutes ?? ''),
    };
  },
  read: ({ mail_after_minutes: minutes, ...written }) => ({
    origins: readSites(String(written['origins'])),
    title: String(written['title']).trim() || null,
    greeting: String(written['greeting']).trim() || null,
    color: String(written['color']),
    position: written['position'] === 'left' ? 'left' : 'right',
    texts: readTexts(written['texts']),
    office_hours: readHours(written),
    require_identity: written['require_identity'] === true,
    mail_after_minutes: minutes === '' ? null : Number(minutes),
  }),
  Fields,
  names: { origins: words.sites, title: words.head, greeting: words.greeting, color: words.color },
  lead: (channel) => [
    words.sites,
    (channel.type === 'webchat' && channel.origins?.map((origin) => new URL(origin).host).join(', ')) || words.noSites,
  ],
  Parts: WebchatParts,
};
