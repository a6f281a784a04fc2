import { plural } from '../../../words/numbers.ts';

/** What two definitions of a flow have differently. */
export const words = {
  field: 'Field',
  removed: 'Removed',
  notThere: 'Not set',
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed' },
  same: 'No differences.',
  more: (count: number) => plural(count, { one: 'And one more difference.', other: `And ${count} more differences.` }),
  positions: 'Places on the canvas',
  parts: {
    block: (id: string) => `Block ${id}`,
    item: 'Block without an ID',
    order: 'Order of the blocks',
    start: 'First block',
    triggers: 'Triggers',
    reentry: 'Re-entry',
    field: (key: string) => `Setting ${key}`,
  },
};
