/** Every fault of the suite, in the order of the table, and how it is made: from outside, without a hook in the product. */
export const faults = {
  beforeCommit: {
    title: 'SIGKILL before the commit',
    how: 'the insert of the delivery waits for a lock on the table; nothing was answered, the sender repeats',
  },
  beforeStart: {
    title: 'SIGKILL after the commit, before the workflow is started',
    how: 'Temporal is down, the event is answered 202',
  },
  duringPost: { title: 'SIGKILL during the POST', how: 'the receiver has the request and holds its answer' },
  beforeRecord: {
    title: 'SIGKILL after the POST, before its record',
    how: 'the receiver has answered 200; writing that down waits for a lock on the table',
  },
  duringDisabling: {
    title: 'SIGKILL during disabling',
    how: 'the sixth attempt has failed; disabling waits for a lock on the webhook. Delivered here: the one e-mail',
  },
  duringMail: {
    title: 'SIGKILL during mail',
    how: 'the mail server has the whole mail and has not answered. Delivered here: the e-mail',
  },
  sigterm: { title: 'SIGTERM under load', how: '50 events/s for 4 s; the process is told to stop after 2 s' },
  temporalKilled: {
    title: 'SIGKILL of Temporal under load',
    how: '20 events/s for 10 s; killed after 3 s, started again after 8 s',
  },
  postgresKilled: {
    title: 'SIGKILL of PostgreSQL under load',
    how: '20 events/s for 10 s; killed after 3 s, started again after 5 s; the sender repeats what was not answered 202',
  },
  diskFull: {
    title: 'PostgreSQL: disk full',
    how: '20 events/s for 8 s; between 2 s and 5 s triggers on deliveries and attempts raise SQLSTATE 53100',
  },
  connectionLimit: {
    title: 'PostgreSQL: no connection left',
    how: "20 events/s for 8 s; meanwhile the service's connections are cut and strangers take all 200 (SQLSTATE 53300)",
  },
  mailRefused: {
    title: 'SMTP refusing',
    how: 'the mail server says 421, then 451, then takes it. Delivered here: the e-mail',
  },
  hang: { title: 'A receiver that hangs', how: 'no answer to the first attempt; the retry comes after 30 s' },
  reset: { title: 'A receiver that resets', how: 'a TCP reset to the first attempt; the retry comes after 30 s' },
  oneInTen: {
    title: 'One receiver in ten hangs for 10 s',
    how: '10 receivers at 40 deliveries/s for 12 s, then the same with one that hangs',
  },
  repeatedKills: {
    title: 'Repeated SIGKILL under full load',
    how: 'each event to ten webhooks, as fast as they go; the process is killed 10 s after it got ready, each time',
  },
} as const;

export type Fault = keyof typeof faults;
