/** Settings, Tags. */
export const words = {
  title: 'Tags',
  description: 'Labels for contacts. Using a new tag anywhere creates it.',
  list: 'Tags',
  counted: { one: 'tag', other: 'tags' },
  create: 'Create tag',
  nameHint: 'Shown as you write it; the letter case does not count.',
  contacts: 'Contacts',
  moreThan: (count: number) => `more than ${count}`,
  created: 'Created',
  rename: 'Rename',
  renameOf: (name: string) => `Rename “${name}”`,
  renameHint: 'Contacts keep it, and no event is sent. While flows use it, only its letter case can change.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: (contacts: string) =>
    `Contacts that have it: ${contacts}. It is taken off them without an event, and this cannot be taken back. It is refused while flows use it.`,
  empty: 'No tags yet',
  emptyHint: 'Create one, then put it on contacts: on their pages, by the API, or by a flow.',
} as const;
