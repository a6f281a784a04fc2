/** Where a run is, in words. */
export const runStatus = {
  statuses: {
    running: 'Running',
    waiting: 'Waiting',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  at: 'at',
  since: 'since',
  until: 'until',
  waits: {
    reply: 'for an answer',
    delay: 'for a time',
    event: 'for an event',
    child: 'for another flow',
    handover: 'for people to be done',
    foreground: 'for another flow that talks with the contact',
    silence: 'until automation may talk to the contact again',
    paused: 'for the flow to be resumed',
    call: 'for another service',
  },
} as const;
