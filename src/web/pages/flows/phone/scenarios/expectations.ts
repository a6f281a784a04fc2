import type { components } from '../../../../api/paths.gen.d.ts';
import type { Simulation } from '../transcript.ts';

type Schemas = components['schemas'];

export type Expected = Schemas['ScenarioExpectations'];
export type Difference = Schemas['ScenarioResult']['differences'][number];

/** What of a played conversation can be expected of it later: each can be ticked by itself. */
export type Expectable = {
  /** `status`, `messages`, `tags`, or a field as `fields.<key>`. */
  key: string;
  label: 'status' | 'messages' | 'tags' | 'field';
  name: string;
  value: unknown;
  /** Whether it is ticked at first. */
  isUsual: boolean;
};

/** The most fields that are offered. */
const mostFields = 50;

/** The most that a scenario expects of messages, as the API says. */
const mostMessages = 200;

/** All that can be expected. The status, the messages, and what the conversation has changed are ticked at first. */
export const listExpectable = ({ status, messages, fields, tags, changes }: Simulation): Expectable[] => {
  const changed = new Set(changes.filter(({ type }) => type === 'field').map(({ name }) => name));
  const custom = new Map<string, unknown>(Object.entries(fields));
  for (const name of changed) if (!custom.has(name) && !profile.has(name)) custom.set(name, null);
  return [
    { key: 'status', label: 'status', name: '', value: status, isUsual: true },
    {
      key: 'messages',
      label: 'messages',
      name: '',
      value: messages.slice(0, mostMessages).map(expectMessage),
      isUsual: messages.length <= mostMessages,
    },
    ...[...custom].slice(0, mostFields).map(([name, value]) => ({
      key: `fields.${name}`,
      label: 'field' as const,
      name,
      value,
      isUsual: changed.has(name),
    })),
    { key: 'tags', label: 'tags', name: '', value: tags, isUsual: changes.some(({ type }) => type === 'tag') },
  ];
};

type ExpectedMessage = NonNullable<Expected['messages']>[number];

/** A message by its text, or with its image and files where it has any. */
const expectMessage = ({ text, image_url: image, attachments }: Simulation['messages'][number]): ExpectedMessage =>
  image === null && attachments.length === 0
    ? text
    : {
        text,
        ...(image !== null && { image_url: image }),
        ...(attachments.length > 0 && { attachments: attachments.map(({ type, name }) => ({ type, name })) }),
      };

/** Not custom fields: scenarios do not compare them. */
const profile: ReadonlySet<string> = new Set(['first_name', 'last_name', 'email', 'phone', 'language', 'time_zone']);

/** What is expected, of what was ticked. */
export const expectTicked = (simulation: Simulation, ticked: ReadonlySet<string>): Expected => {
  const { status, messages, tags } = simulation;
  const fields = listExpectable(simulation).filter(({ key, label }) => label === 'field' && ticked.has(key));
  return {
    ...(ticked.has('status') && { status }),
    ...(ticked.has('messages') && { messages: messages.slice(0, mostMessages).map(expectMessage) }),
    ...(ticked.has('tags') && { tags: [...tags] }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])) }),
  };
};

/** Where a difference is: the number of a message from 1 on and what of it, or the key of a field. */
export type Spot =
  | { type: 'status' | 'tags' | 'simulation' }
  | { type: 'message'; number: number; part?: 'text' | 'image_url' | 'attachments' }
  | { type: 'field'; name: string };

export const readSpot = (path: string): Spot => {
  const [, index, part] = /^messages\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  if (index !== undefined) {
    const isPart = part === 'text' || part === 'image_url' || part === 'attachments';
    return { type: 'message', number: Number(index) + 1, ...(isPart && { part }) };
  }
  if (path.startsWith('fields.')) return { type: 'field', name: path.slice('fields.'.length) };
  if (path === 'status' || path === 'tags') return { type: path };
  return { type: 'simulation' };
};
