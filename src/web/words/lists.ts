import { plural, sayNumber } from './numbers.ts';

/** What is counted, as "contact" and "contacts". */
export type Counted = { one: string; other: string };

/** Lists, whatever they are of. */
export const listWords = {
  count: ({ count, more, of }: { count: number; more: boolean; of: Counted }) =>
    more ? `${sayNumber(count)}+ ${of.other}` : `${sayNumber(count)} ${plural(count, of)}`,
  columns: 'Columns',
  views: 'Views',
  all: 'All',
  saveView: 'Save view',
  saveChanges: 'Save changes',
  viewChanged: (name: string) => `View “${name}” changed`,
  share: 'Share with everyone',
  unshare: 'Make private',
  shared: 'Shared',
  viewMenu: (name: string) => `Change view ${name}`,
  deleteView: (name: string) => `Delete view ${name}?`,
  deleteOwnText: 'Your other views stay.',
  deleteSharedText: 'Everyone in the account loses this view.',
  sort: 'Sort by',
  ascending: (heading: string) => `${heading}, ascending`,
  descending: (heading: string) => `${heading}, descending`,
  /** The heading of a column of buttons, for those who do not see them. */
  actions: 'Actions',
  selectRow: 'Select',
  selectAll: 'Select all loaded rows',
  selected: (count: number) => `${sayNumber(count)} selected`,
  clearSelection: 'Clear selection',
  bulkActions: 'Actions for the selected rows',
  refused: ({ count, why }: { count: number; why: string }) => `${sayNumber(count)} refused: ${why}`,
  unchanged: (count: number) =>
    `${sayNumber(count)} ${plural(count, { one: 'row needed', other: 'rows needed' })} no change.`,
  undone: 'Undone',
  undoneInPart: 'Undone only in part',
  undoStopped: 'Undo did not finish',
  undoUnanswered: (count: number) =>
    `No answer for ${sayNumber(count)} ${plural(count, { one: 'row', other: 'rows' })}. Undo again for these.`,
  notReached: (count: number) => `${sayNumber(count)} not reached in time. Try again with these.`,
} as const;
