import type { FieldDefinition, FieldType, Json } from '../../custom-fields/values.ts';
import { newBudget, type Budget } from '../templating/budget.ts';
import { fileParts, findInFile } from '../templating/files.ts';
import { dottedPath, findIn, type Scope } from '../templating/scope.ts';
import { dateOf, timeOf, weekdayOf, zonedOf, zoneOf } from './zones.ts';
import type { ContactView, BlockContext } from './context.ts';

/** The first parts of the names that templates and rules have beside custom fields, and what each stands for. */
const roots: ReadonlyMap<string, (context: BlockContext) => Json | undefined> = new Map<
  string,
  (context: BlockContext) => Json | undefined
>([
  ['first_name', ({ contact }) => contact.firstName],
  ['last_name', ({ contact }) => contact.lastName],
  ['email', ({ contact }) => contact.email],
  ['phone', ({ contact }) => contact.phone],
  ['language', ({ contact }) => contact.language],
  ['time_zone', ({ contact }) => contact.timeZone],
  ['external_id', ({ contact }) => contact.externalId],
  ['channel', ({ contact }) => contact.channel],
  ['tags', ({ contact }) => [...contact.tags]],
  ['contact', ({ contact }) => showContact(contact)],
  ['account', ({ account }) => ({ name: account.name, time_zone: account.timeZone })],
  ['flow', ({ flow }) => ({ id: flow.id, name: flow.name })],
  ['run', ({ run }) => ({ id: run.id, started_at: run.startedAt.toISOString() })],
  ['params', ({ run }) => run.params],
  ['reply', ({ run }) => run.reply],
  ['event', ({ run }) => run.event],
]);

/** What `now` has beside the instant itself, on the contact's clock. */
const clock: ReadonlyMap<string, (context: BlockContext) => string> = new Map([
  ['now', ({ now }: BlockContext) => now.toISOString()],
  ['now.date', (context: BlockContext) => dateOf(zonedOf(context))],
  ['now.time', (context: BlockContext) => timeOf(zonedOf(context))],
  ['now.weekday', (context: BlockContext) => weekdayOf(zonedOf(context))],
]);

/** What the names in the templates and rules of a block mean, and what they may take. Each is looked up once. */
export const scopeOf = (context: BlockContext): Scope & { budget: Budget } => {
  const found = new Map<string, Json | undefined>();
  const findRoot = (name: string): Json | undefined => {
    const root = roots.get(name);
    if (!found.has(name)) found.set(name, root ? root(context) : findField(context, name));
    return found.get(name);
  };
  const findValue = (path: string): Json | undefined => {
    const [root = '', ...rest] = path.split('.');
    const [below, key, ...parts] = rest;
    if (root === 'contact' && below === 'custom_fields' && key !== undefined)
      return findIn(findField(context, key), parts);
    return root === 'now' ? clock.get(path)?.(context) : findIn(findRoot(root), rest);
  };
  const { files } = context;
  return {
    find: (given) => {
      const path = dottedPath(given);
      return findValue(path) ?? findInFile(files, path, findValue);
    },
    files,
    timeZone: zoneOf(context),
    language: context.contact.language ?? 'en',
    budget: context.budget ?? newBudget(),
  };
};

const findField = ({ contact, fields }: BlockContext, key: string): Json | undefined =>
  (Object.hasOwn(contact.fields, key) ? contact.fields[key] : undefined) ?? fields.get(key)?.default ?? undefined;

const showContact = (contact: ContactView): Json => ({
  id: contact.id,
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  phone: contact.phone,
  language: contact.language,
  time_zone: contact.timeZone,
  external_id: contact.externalId,
  channel: contact.channel,
  tags: [...contact.tags],
  custom_fields: { ...contact.fields },
});

export type PathType = FieldType | 'time' | 'weekday';

/** The names whose parts are known, and their types. Any part may follow `params.`, `event.` and `contact.custom_fields.`. */
const systemTypes: ReadonlyMap<string, PathType> = new Map<string, PathType>([
  ...['first_name', 'last_name', 'email', 'phone', 'language', 'time_zone', 'external_id', 'channel'].flatMap((name) =>
    [name, `contact.${name}`].map((path) => [path, 'text'] as const),
  ),
  ...['contact.id', 'account.name', 'account.time_zone', 'flow.id', 'flow.name', 'run.id', 'reply.text'].map(
    (path) => [path, 'text'] as const,
  ),
  ...['type', 'id', 'name', 'url', 'content_type'].map((part) => [`reply.attachment.${part}`, 'text'] as const),
  ['reply.attachment.size', 'number'],
  ['reply.attachment.latitude', 'number'],
  ['reply.attachment.longitude', 'number'],
  ['run.started_at', 'datetime'],
  ['now', 'datetime'],
  ['now.date', 'date'],
  ['now.time', 'time'],
  ['now.weekday', 'weekday'],
  ['tags', 'list'],
  ['contact.tags', 'list'],
  ['contact', 'json'],
  ['contact.custom_fields', 'json'],
]);

/** The names that always have a value, however little is known of a contact. */
const always: ReadonlySet<string> = new Set(
  `contact contact.id contact.custom_fields channel contact.channel account.name account.time_zone flow.id flow.name run.id run.started_at now
  now.date now.time now.weekday`.split(/\s+/),
);

/** What is known of a name before any run: its type, undefined where only a run knows it, and whether it may have no value. */
export type KnownPath = { type: PathType | undefined; mayBeEmpty: boolean };

/** What a name in a template or rule is; undefined when there is none of that name. */
export const findPath = (given: string, fields: ReadonlyMap<string, FieldDefinition>): KnownPath | undefined => {
  const path = dottedPath(given);
  const type = systemTypes.get(path);
  if (type !== undefined) return { type, mayBeEmpty: !always.has(path) };
  const [root = '', ...rest] = path.split('.');
  if (root === 'params' || root === 'event') return { type: undefined, mayBeEmpty: true };
  const key = path.startsWith('contact.custom_fields.') ? rest[1] : root;
  const inField = key === root ? rest : rest.slice(2);
  const field = key === undefined ? undefined : fields.get(key);
  if (!field) return undefined;
  if (inField.length === 0) return { type: field.type, mayBeEmpty: field.default === null };
  const [part = '', ...more] = inField;
  // A text may be the id of a file.
  if (field.type === 'text' && more.length === 0 && fileParts.includes(part))
    return { type: part === 'size' ? 'number' : 'text', mayBeEmpty: true };
  return field.type === 'json' || field.type === 'list' ? { type: undefined, mayBeEmpty: true } : undefined;
};

/** A name as blocks write it: what a contact has can also be named below `contact.`. */
export const shortName = (path: string): string => path.replace(/^contact\.(?:custom_fields\.)?/, '');

/** The names to choose from, for who mistyped one. */
export const systemPaths: readonly string[] = [...systemTypes.keys()];

/** Whether a name's first part is the system's own, so that it names no custom field. */
export const isSystemName = (root: string): boolean => root === 'now' || roots.has(root);
