import type { Block, BlockConfig, Reference, TemplateUse, Write } from './block.ts';
import { bodyTypeOf, findRequestProblems } from './check-request.ts';
import { usesField } from './fields.ts';
import { requestSchema, type ExternalRequest } from './request-schema.ts';

export const isExternalRequest = (config: BlockConfig): config is ExternalRequest => config.type === 'external_request';

export const externalRequest: Block<ExternalRequest> = {
  type: 'external_request',
  // 2: no part of the path of its url becomes empty unasked.
  v: 2,
  summary: 'Calls another service by HTTP, and writes what it answers into fields.',
  schema: requestSchema,
  ports: ({ for_each: forEach, next }) => [
    { name: 'success', omitted: 'following' },
    { name: 'error', omitted: 'fails' },
    // An item without an answer in time takes error: nothing is missing where this port leads nowhere.
    ...(forEach && next?.timeout === undefined ? [] : [{ name: 'timeout', omitted: 'fails' } as const]),
  ],
  uses: (config) => usesOf(config),
  templates: (config) => templatesOf(config),
  writes: ({ for_each: forEach, mapping = [], error_mapping: errorMapping = [] }) => [
    ...writesOf('success', mapping, forEach),
    // There may have been no response.
    ...writesOf('error', errorMapping, forEach).filter(({ leaves }) => leaves === 'maybe_nothing'),
  ],
  slowCharacters: ({ success_when: successWhen, mapping = [], error_mapping: errorMapping = [] }) =>
    [...(successWhen?.rules ?? []), ...mapping, ...errorMapping].reduce((sum, { path }) => sum + path.length, 0),
  check: (config, known) => findRequestProblems(config, known),
  enter: () => ({ type: 'request' }),
  resume: (_config, _context, input) => {
    if (input.type !== 'request_ended') return undefined;
    const { port, reason, fields } = input;
    const effects = fields.map((field) => ({ type: 'set_field', ...field }) as const);
    return { type: 'go', port, ...(reason !== undefined && { reason }), effects };
  },
};

/** A value that is not there is kept, cleared, or an error. The list of all items may be empty. */
const writesOf = (
  port: string,
  table: NonNullable<ExternalRequest['mapping']>,
  forEach: ExternalRequest['for_each'],
): Write[] =>
  table.flatMap(({ field: name, on_missing: onMissing }) => {
    if (forEach) return [{ port, name, leaves: 'maybe_nothing' }];
    return onMissing === 'keep' ? [] : [{ port, name, leaves: onMissing === 'error' ? 'a_value' : 'maybe_nothing' }];
  });

const usesOf = ({ credential, mapping = [], error_mapping: errorMapping = [] }: ExternalRequest): Reference[] => [
  ...(credential === undefined ? [] : [{ path: 'credential', type: 'credential' as const, name: credential }]),
  ...mapping.flatMap(({ field }, index) => usesField(`mapping.${index}.field`, field)),
  ...errorMapping.flatMap(({ field }, index) => usesField(`error_mapping.${index}.field`, field)),
];

const templatesOf = (config: ExternalRequest): TemplateUse[] => {
  const { for_each: forEach, url, headers = {}, query = {}, form = {}, body = '' } = config;
  const sent: TemplateUse[] = [
    { path: 'url', template: url, place: 'url' },
    ...templatesOfTable('headers', headers, 'header'),
    ...templatesOfTable('query', query, 'form'),
    ...templatesOfTable('form', form, 'form'),
    { path: 'body', template: body, place: bodyTypeOf(config) === 'json' ? 'json' : 'text', takesCredentials: true },
  ];
  if (!forEach) return sent;
  const items: TemplateUse = { path: 'for_each.items', template: forEach.items, place: 'value', takesNothing: true };
  return [items, ...sent.map((use) => ({ ...use, takesItem: true }))];
};

const templatesOfTable = (
  path: string,
  table: Readonly<Record<string, string>>,
  place: 'header' | 'form',
): TemplateUse[] =>
  Object.entries(table).map(([name, template]) => ({
    path: `${path}.${name}`,
    template,
    place,
    takesCredentials: true,
  }));
