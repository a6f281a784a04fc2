/** Settings, Credentials. */
export const words = {
  title: 'Credentials',
  description:
    'Secrets with which flows authenticate to other services. A value is stored encrypted, never shown again, sent only to its hosts, and redacted in every log.',
  list: 'Credentials',
  counted: { one: 'credential', other: 'credentials' },
  create: 'Create credential',
  nameHint: 'An External Request calls it by this: a letter, then letters, digits and _. It never changes.',
  sentAs: 'Sent as',
  sent: {
    bearer: () => 'Authorization: Bearer …',
    basic: () => 'Authorization: Basic …',
    header: (param: string) => `${param}: …`,
    query: (param: string) => `?${param}=…`,
  },
  type: 'Type',
  types: {
    bearer: 'Bearer token',
    basic: 'User name and password',
    header: 'Header',
    query: 'Parameter of the query',
  },
  hosts: 'Hosts',
  hostsHint:
    'It is sent to these and no other, by https: api.example.com, or *.example.com for all names below. Type one, then Enter.',
  token: 'Token',
  username: 'User name',
  password: 'Password',
  header: 'Name of the header',
  headerHint: (placeholder: string) => `Its value may also stand elsewhere in a request: ${placeholder}.`,
  parameter: 'Name of the parameter',
  value: 'Value',
  changed: 'Changed',
  replace: 'Replace',
  replaceOf: (name: string) => `Replace “${name}”`,
  replaceText:
    'The next attempt of any request uses the new value and hosts. Enter the value again even if only the hosts change.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: 'Its value is gone then, and cannot be got back. It is refused while flows use the credential.',
  empty: 'No credentials yet',
  emptyHint: 'Create one for each service that your flows call and that wants to know who asks.',
  warned: (name: string) => `“${name}” is saved. Is this what you meant?`,
} as const;
