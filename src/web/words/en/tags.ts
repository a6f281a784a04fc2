/** Settings, Tags. */
export const tags = {
  title: 'Tags',
  description:
    'What contacts are sorted by. A tag that is put on a contact is created where there is none of its name, also by the API and in flows.',
  list: 'Tags',
  create: 'Create tag',
  nameHint: 'Shown as you write it; the letter case does not count.',
  contacts: 'Contacts',
  moreThan: 'more than {{count}}',
  created: 'Created',
  rename: 'Rename',
  renameOf: 'Rename “{{name}}”',
  renameHint: 'Contacts keep it, and no event is sent. While flows use it, only its letter case can change.',
  deleteTitle: 'Delete “{{name}}”?',
  deleteText:
    'Contacts that have it: {{contacts}}. It is taken off them without an event, and this cannot be taken back. It is refused while flows use it.',
  empty: 'No tags yet',
  emptyHint: 'Create one, then put it on contacts: on their pages, by the API, or by a flow.',
} as const;
