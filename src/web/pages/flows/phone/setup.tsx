import { JsonInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import { ContactSelect } from '../../../parts/contact-select.tsx';
import { toLocalInput } from '../../../parts/local-input.ts';
import { useList } from '../../../parts/use-list.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { blocksOf, textOf } from '../edits/blocks.ts';
import { ScratchFields } from './scratch-fields.tsx';
import { titleOf } from './say.ts';
import { scratchContact, type Session } from './session.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

/** With whom, from where, when and on which version the conversation is played. Each change plays it again. */
export const Setup = ({ phone: { session, setSession } }: { phone: PhoneState }) => {
  const { contactId, setContactId } = useBuilder();
  const set = (changes: Partial<Session>): void => setSession((now) => ({ ...now, ...changes }));
  return (
    <div className="phone-scroll" role="region" aria-label={words.parts.setup} tabIndex={0}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.setup.nothingWritten}
        </Text>
        <ContactSelect
          placeholder={words.setup.scratch}
          value={contactId}
          onChange={(id) => {
            setContactId(id ?? undefined);
            if (id === null) set({ contact: scratchContact });
          }}
        />
        {contactId === undefined && typeof session.contact !== 'string' && (
          <ScratchFields contact={session.contact} onChange={(contact) => set({ contact })} />
        )}
        <Plays version={session.version} set={set} />
        <StartsAt start={session.start} set={set} />
        <TextInput
          type="datetime-local"
          label={words.setup.now}
          description={words.setup.nowHint}
          value={toLocalInput(new Date(session.now))}
          onChange={({ currentTarget: { value } }) => {
            const at = new Date(value);
            if (!Number.isNaN(at.getTime())) set({ now: at.toISOString() });
          }}
        />
        <Params params={session.params} set={set} />
      </Stack>
    </div>
  );
};

type SetProps = { set: (changes: Partial<Session>) => void };

/** The draft, or a published version. */
const Plays = ({ version, set }: SetProps & { version: number | undefined }) => {
  const { flowId } = useBuilder();
  const { rows = [] } = useList('/flows/{id}/versions', { id: flowId });
  const numbers = [...new Set([...(version === undefined ? [] : [version]), ...rows.map((row) => row.version)])];
  const draft = '';
  return (
    <Select
      label={words.setup.plays}
      allowDeselect={false}
      value={version === undefined ? draft : String(version)}
      data={[
        { value: draft, label: words.draft },
        ...numbers.map((number) => ({ value: String(number), label: words.version(number) })),
      ]}
      onChange={(chosen) => set({ version: chosen ? Number(chosen) : undefined, start: undefined })}
    />
  );
};

/** The start of the flow, or a block of the draft. */
const StartsAt = ({ start, set }: SetProps & { start: string | undefined }) => {
  const { definition } = useBuilder();
  const ids = [...new Set(blocksOf(definition).map((block) => textOf(block, 'id')))].filter((id) => id !== '');
  const known = start === undefined || ids.includes(start) ? ids : [start, ...ids];
  return (
    <Select
      label={words.setup.start}
      placeholder={words.setup.flowStart}
      searchable
      clearable
      value={start ?? null}
      data={known.map((id) => ({ value: id, label: titleOf(definition, id) }))}
      onChange={(chosen) => set({ start: chosen ?? undefined })}
    />
  );
};

/** What the enrollment brings, as it is typed: half of an object changes nothing yet. */
const Params = ({ params, set }: SetProps & { params: Session['params'] }) => {
  const [text, setText] = useState(() => (Object.keys(params).length === 0 ? '' : JSON.stringify(params, null, 2)));
  const [error, setError] = useState<string>();
  const type = (value: string): void => {
    setText(value);
    const read = readObject(value);
    setError(read ? undefined : words.setup.noObject);
    if (read) set({ params: read });
  };
  return (
    <JsonInput
      label={words.setup.params}
      description={words.setup.paramsHint}
      placeholder='{ "sku": "T1" }'
      autosize
      minRows={2}
      maxRows={10}
      value={text}
      error={error}
      validationError={error}
      onChange={type}
    />
  );
};

const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const read: unknown = text.trim() === '' ? {} : parseJson(text);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
};
