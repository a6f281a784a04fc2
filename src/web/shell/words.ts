/** What stands around every page. */
export const words = {
  skip: 'Skip to the page',
  navigation: 'Navigation',
  find: 'Find a page or a contact (Ctrl+K)',
  findPlaceholder: 'A page, or how a name, e-mail or phone begins',
  nothingFound: 'Nothing found',
  userMenu: 'You',
  profile: 'Password, sessions and mails',
  signOut: 'Sign out',
  apiDocs: 'API documents',
  schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
  needsRole: (role: string) => `You need the ${role} role for this page`,
  yourRole: (role: string) => `Your role is ${role}. An owner of the account can change it.`,
  noPage: 'Page not found',
  toOverview: 'Back to overview',
  broken: 'Something went wrong',
  reload: 'Reload',
} as const;
