/** Settings, Tags. */
export const words = {
  title: 'Tags',
  description: 'Labels for contacts. Using a new tag anywhere creates it.',
  list: 'Tags',
  counted: { one: 'tag', other: 'tags' },
  create: 'Create tag',
  nameHint: 'Letter case makes no difference.',
  contacts: 'Contacts',
  moreThan: (count: number) => `more than ${count}`,
  created: 'Created',
  rename: 'Rename',
  renameOf: (name: string) => `Rename “${name}”`,
  renameHint: 'Contacts keep the tag. If flows use it, only its letter case can change.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: (contacts: string) =>
    `Contacts with this tag: ${contacts}. They lose it without an event. This cannot be undone. You cannot delete a tag that flows use.`,
  empty: 'No tags yet',
  emptyHint: 'Create a tag, then add it to contacts by page, API or flow.',
} as const;
