import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { mappingsOf } from './read-request.ts';
import { typedSecretsOf } from './typed-secrets.ts';

export const tabs = ['request', 'auth', 'body', 'mapping', 'errors', 'test'] as const;

export type Tab = (typeof tabs)[number];

/** On which tab each field of the block has its control. */
export const tabOfField: Readonly<Record<string, Tab>> = {
  method: 'request',
  url: 'request',
  query: 'request',
  headers: 'request',
  timeout_ms: 'request',
  follow_redirects: 'request',
  safe_to_repeat: 'request',
  for_each: 'request',
  credential: 'auth',
  body_type: 'body',
  body: 'body',
  form: 'body',
  mapping: 'mapping',
  error_mapping: 'mapping',
  success_when: 'errors',
  attempts: 'errors',
  retry: 'errors',
};

const firstPart = (path: string): string => path.split('.', 1)[0] ?? '';

/** The tab on which something is wrong; undefined for what no tab has. */
export const tabOf = (path: string): Tab | undefined => {
  const field = firstPart(path);
  return Object.hasOwn(tabOfField, field) ? tabOfField[field] : undefined;
};

/** What each tab says of itself before it is opened. */
export type Tally = { errors: number; warnings: number; values: number };

const sizeOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0);

const valuesOf = (block: RawBlock): Partial<Record<Tab, number>> => ({
  request: sizeOf(block['headers']) + sizeOf(block['query']),
  auth: typeof block['credential'] === 'string' ? 1 : 0,
  body: block['body'] === undefined ? sizeOf(block['form']) : 1,
  mapping: (mappingsOf(block['mapping'])?.length ?? 0) + (mappingsOf(block['error_mapping'])?.length ?? 0),
});

/** What is wrong at a path within the block. */
type Issue = { severity: 'error' | 'warning'; path: string };

/** Counts what is wrong on each tab, and what is there. */
export const tallyOf = (block: RawBlock, issues: readonly Issue[]): Readonly<Record<Tab, Tally>> => {
  const values = valuesOf(block);
  const count = (tab: Tab, severity: Issue['severity']): number =>
    issues.filter((issue) => issue.severity === severity && tabOf(issue.path) === tab).length;
  const tally = (tab: Tab): Tally => ({
    errors: count(tab, 'error'),
    // There a typed secret can be made a credential.
    warnings: count(tab, 'warning') + (tab === 'auth' ? typedSecretsOf(block).length : 0),
    values: values[tab] ?? 0,
  });
  return {
    request: tally('request'),
    auth: tally('auth'),
    body: tally('body'),
    mapping: tally('mapping'),
    errors: tally('errors'),
    test: tally('test'),
  };
};
