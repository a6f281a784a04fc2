import type { Known } from '../../src/shared/flows/blocks/block.ts';
import { fieldMap, aField } from './block-context.ts';

type Raw = Readonly<Record<string, unknown>>;

/** A definition of these blocks, which begins with the first. */
export const aDefinition = (blocks: readonly Raw[], rest: Raw = {}): Raw => ({
  schema_version: 1,
  start: blocks[0]?.['id'],
  blocks,
  ...rest,
});

/** What an account has that definitions refer to. */
export const aKnown = (rest: Partial<Known> = {}): Known => ({
  flowId: null,
  country: null,
  fields: fieldMap(aField('size', 'text'), aField('stock_left', 'number'), aField('likes', 'list')),
  tags: new Set(['vip']),
  flows: new Map(),
  tagging: new Map(),
  channels: [],
  credentials: new Map([
    ['shop', { type: 'header' }],
    ['crm', { type: 'bearer' }],
  ]),
  refuseUrl: (url) => (url.includes('127.0.0.1') ? 'must be publicly reachable: its address is refused' : undefined),
  ...rest,
});
