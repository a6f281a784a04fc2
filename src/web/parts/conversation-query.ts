import type { paths } from '../api/paths.gen.d.ts';

type Query = NonNullable<paths['/conversations']['get']['parameters']['query']>;

/** The filters of conversations, as addresses and saved views have them. */
export const conversationFilterNames = [
  'status',
  'owner',
  'state',
  'snoozed',
  'draft',
  'assigned_to',
  'channel',
  'contact',
  'tag',
  'search',
] as const;

/** Whoever looks at the list, so that a shared view is everybody's own. */
export const viewer = 'me';

/** The most characters that are searched for. */
export const searchAtMost = 100;

/** What a list of conversations shows, wherever it stands: filters, of which all hold, and an order other than by the latest message. */
export type ConversationFilters = {
  status?: 'open' | 'closed' | undefined;
  owner?: 'bot' | 'waiting' | 'agent' | undefined;
  state?: 'handover' | undefined;
  snoozed?: 'true' | 'false' | undefined;
  draft?: 'mine' | undefined;
  /** A user's id, `none` or `viewer`. */
  assigned_to?: string | undefined;
  channel?: string | undefined;
  contact?: string | undefined;
  tag?: string | undefined;
  search?: string | undefined;
  order?: 'opened' | 'waiting_longest' | undefined;
};

type Read<Value> = (text: string) => Value | undefined;

const oneOf =
  <Value extends string>(...known: Value[]): Read<Value> =>
  (text) =>
    known.find((value) => value === text);

const idOf = (prefix: string): Read<string> => {
  const form = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, 'u');
  return (text) => (form.test(text) ? text : undefined);
};

const readUser = idOf('usr');

const readTag: Read<string> = (text) => {
  const name = text.trim();
  const isName = name !== '' && name.length <= 100 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  return isName && name !== '.' && name !== '..' ? name : undefined;
};

const readSearch: Read<string> = (text) =>
  text === '' || text.includes('\0') ? undefined : text.slice(0, searchAtMost).replace(/\p{Cs}$/u, '');

/** Reads the filters of an address or a saved view. What is unknown there, as a value of another version, is left out. */
export const readConversationFilters = (params: URLSearchParams): ConversationFilters => {
  const read = <Value>(name: keyof ConversationFilters, as: Read<Value>): Value | undefined =>
    as(params.get(name) ?? '');
  const owner = read('owner', oneOf('bot', 'waiting', 'agent'));
  // That order has those that wait alone: with another owner there would be none.
  const orders = owner === 'waiting' ? oneOf('opened', 'waiting_longest') : oneOf('opened');
  return {
    status: read('status', oneOf('open', 'closed')),
    owner,
    state: read('state', oneOf('handover')),
    snoozed: read('snoozed', oneOf('true', 'false')),
    draft: read('draft', oneOf('mine')),
    assigned_to: read('assigned_to', (text) => oneOf('none', viewer)(text) ?? readUser(text)),
    channel: read('channel', idOf('chn')),
    contact: read('contact', idOf('con')),
    tag: read('tag', readTag),
    search: read('search', readSearch),
    order: read<ConversationFilters['order']>('order', orders),
  };
};

/** The filters as an address and a saved view have them: the same ones are the same text. */
export const sayConversationFilters = (filters: ConversationFilters): string => {
  const params = new URLSearchParams(withoutUndefined(filters));
  params.sort();
  return params.toString();
};

/** What the API is asked for by these filters, but for the order, which its count does not take. `userId`: who looks at the list. */
export const conversationQuery = (filters: ConversationFilters, userId: string): Omit<Query, 'order'> => {
  const { channel, contact, assigned_to: assignee, status, owner, state, snoozed, draft, tag, search } = filters;
  return withoutUndefined({
    status,
    owner,
    state,
    snoozed,
    draft,
    tag,
    search,
    channel_id: channel,
    contact_id: contact,
    assigned_to: assignee === viewer ? userId : assignee,
  });
};

type Known<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

const withoutUndefined = <Values extends object>(values: Values): Known<Values> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an object with these values
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<Values>;
