import { plural, sayNumber } from '../../words/numbers.ts';

/** Runs of flows. */
export const words = {
  title: 'Runs',
  description: 'A run is one contact on their way through one version of a flow.',
  list: 'Runs',
  counted: { one: 'run', other: 'runs' },
  one: 'Run',
  named: ({ contact, flow }: { contact: string; flow: string }) => `${contact} in ${flow}`,
  contact: 'Contact',
  flow: 'Flow',
  anyFlow: 'All flows',
  version: (version: number) => `Version ${version}`,
  status: 'Status',
  anyStatus: 'All',
  state: 'Where',
  since: 'Since',
  until: 'Until',
  started: 'Started',
  ended: 'Ended',
  empty: 'No runs yet',
  emptyHint: 'A run begins when a trigger of a live flow fires, or when the API enrols a contact.',
  noneOfThem: 'No matching runs',
  noneOfThemHint: 'A run must match all filters.',
  stepsEntered: 'Blocks entered',
  parent: 'Started by',
  origin: 'First run of the chain',
  notBegun: (count: number) =>
    plural(count, {
      one: `${sayNumber(count)} run was not started`,
      other: `${sayNumber(count)} runs were not started`,
    }),
  notBegunText:
    'A run may cause 1,000 others an hour, also through tags, other flows and requests. Check whether flows start each other.',
  notBegunLast: 'Latest:',
  params: 'Parameters',
  workflow: 'Workflow',
  openWorkflow: 'Open it in Temporal’s UI',
  steps: 'Steps',
  stepsHint: 'What happened, from the beginning.',
  noSteps: 'It has not entered a block yet',
  earlier: 'Show earlier steps',
  step: (number: number) => `Step ${number}`,
  visit: (count: number) => `visit ${count}`,
  tookPort: (port: string) => `took “${port}”`,
  after: (duration: string) => `after ${duration}`,
  stepStatuses: { open: 'here now', pending: 'waiting to send' },
  tries: (count: number) =>
    plural(count, { one: `${count} answer that was not valid`, other: `${count} answers that were not valid` }),
  bulk: {
    retryTitle: (count: number) => plural(count, { one: 'Retry this run?', other: `Retry ${sayNumber(count)} runs?` }),
    retryText: 'Each failed run enters the block where it failed once more. Runs that have not failed are refused.',
    retried: (count: number) => plural(count, { one: '1 run goes on', other: `${sayNumber(count)} runs go on` }),
    cancel: 'Cancel runs',
    cancelTitle: (count: number) =>
      plural(count, { one: 'Cancel this run?', other: `Cancel ${sayNumber(count)} runs?` }),
    cancelText: 'They end where they are, with the runs that they have started. This cannot be taken back.',
    cancelled: (count: number) =>
      plural(count, { one: '1 run cancelled', other: `${sayNumber(count)} runs cancelled` }),
  },
  cancel: 'Cancel the run',
  cancelTitle: 'Cancel this run?',
  cancelText:
    'It ends where it is, with the runs that it has started. A message that is on its way is sent. This cannot be taken back.',
  retry: 'Retry',
  retryTitle: 'Retry this run?',
  retryText: 'It enters the block where it failed once more.',
} as const;
