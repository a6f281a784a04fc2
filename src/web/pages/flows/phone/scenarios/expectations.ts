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
      value: messages.slice(0, mostMessages).map(({ text }) => text),
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

/** Not custom fields: scenarios do not compare them. */
const profile: ReadonlySet<string> = new Set(['first_name', 'last_name', 'email', 'phone', 'language', 'time_zone']);

/** What is expected, of what was ticked. */
export const expectTicked = (simulation: Simulation, ticked: ReadonlySet<string>): Expected => {
  const { status, messages, tags } = simulation;
  const fields = listExpectable(simulation).filter(({ key, label }) => label === 'field' && ticked.has(key));
  return {
    ...(ticked.has('status') && { status }),
    ...(ticked.has('messages') && { messages: messages.slice(0, mostMessages).map(({ text }) => text) }),
    ...(ticked.has('tags') && { tags: [...tags] }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])) }),
  };
};

/** Where a difference is: the number of a message from 1 on, or the key of a field. */
export type Spot =
  | { type: 'status' | 'tags' | 'simulation' }
  | { type: 'message'; number: number }
  | { type: 'field'; name: string };

export const readSpot = (path: string): Spot => {
  const [, index] = /^messages\.(\d+)$/.exec(path) ?? [];
  if (index !== undefined) return { type: 'message', number: Number(index) + 1 };
  if (path.startsWith('fields.')) return { type: 'field', name: path.slice('fields.'.length) };
  if (path === 'status' || path === 'tags') return { type: path };
  return { type: 'simulation' };
};
