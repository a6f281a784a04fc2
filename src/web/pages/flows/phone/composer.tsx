import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconPlus, IconSend2 } from '@tabler/icons-react';
import { useState } from 'react';
import { EventForm, type FormOfEvent } from './event-form.tsx';
import { mostInputs, type PhoneInput } from './session.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

type Props = { phone: PhoneState; say: (text: string) => void };

/** Where the contact writes, and what else can happen to the contact. */
export const Composer = ({ phone: { session, send, composer }, say }: Props) => {
  const [text, setText] = useState('');
  const isFull = session.inputs.length >= mostInputs;
  return (
    <form
      className="phone-composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' || isFull) return;
        say(text);
        setText('');
      }}
    >
      <Inputs send={send} isFull={isFull} />
      <TextInput
        ref={composer}
        flex={1}
        radius="xl"
        aria-label={words.write}
        placeholder={words.writeHint}
        autoComplete="off"
        maxLength={10_000}
        value={text}
        error={isFull && words.full}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <ActionIcon
        type="submit"
        size={36}
        radius="xl"
        aria-label={words.send}
        data-disabled={text.trim() === '' || isFull}
      >
        <IconSend2 size={18} aria-hidden />
      </ActionIcon>
    </form>
  );
};

const spans = ['PT1H', 'P1D', 'P7D'] as const;

const attachments = {
  image: { attachments: [{ type: 'image', name: 'photo.jpg' }] },
  file: { attachments: [{ type: 'file', name: 'invoice.pdf' }] },
  location: { attachments: [{ type: 'location', latitude: 52.52, longitude: 13.405 }] },
} satisfies Readonly<Record<string, PhoneInput>>;

const ended = {
  handover_resolved: { event: 'handover_ended', data: { status: 'resolved' } },
  handover_expired: { event: 'handover_ended', data: { status: 'expired' } },
  child_completed: { event: 'child_ended', data: { status: 'completed' } },
} as const satisfies Readonly<Record<string, PhoneInput>>;

const forms = ['tag_applied', 'order_placed', 'order_status_changed'] as const satisfies readonly FormOfEvent[];

/** What is no message: time that passes, and events. */
const Inputs = ({ send, isFull }: { send: (input: PhoneInput) => void; isFull: boolean }) => {
  const [form, setForm] = useState<FormOfEvent>();
  return (
    <>
      <Menu position="top-start" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} radius="xl" aria-label={words.more} data-disabled={isFull}>
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.attachments}</Menu.Label>
          {(['image', 'file', 'location'] as const).map((kind) => (
            <Menu.Item key={kind} onClick={() => send(attachments[kind])}>
              {words.attach[kind]}
            </Menu.Item>
          ))}
          <Menu.Label>{words.time}</Menu.Label>
          {spans.map((after) => (
            <Menu.Item key={after} onClick={() => send({ after })}>
              {words.after[after]}
            </Menu.Item>
          ))}
          <Menu.Label>{words.events}</Menu.Label>
          {forms.map((event) => (
            <Menu.Item key={event} onClick={() => setForm(event)}>
              {words.event[event]}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => send(ended.handover_resolved)}>{words.event.handover_resolved}</Menu.Item>
          <Menu.Item onClick={() => send(ended.handover_expired)}>{words.event.handover_expired}</Menu.Item>
          <Menu.Item onClick={() => send(ended.child_completed)}>{words.event.child_completed}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {form && <EventForm event={form} send={send} close={() => setForm(undefined)} />}
    </>
  );
};
