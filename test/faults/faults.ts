import { workflowPerDelivery } from '../../src/shared/platform/config.ts';

/** What is the same in every mode of the service is shown in one. */
const either = ['every'] as const;

/** Where the workflows of delivered ones are started, or not, while the fault is made. */
const eachWay = workflowPerDelivery;

/**
 * Every fault of the suite, in the order of the table, and how it is made: from outside, without a hook in the product.
 * `withinSeconds` is what its recovery may take on a slow machine before it counts as broken, `modes` are those of WORKFLOW_PER_DELIVERY that it
 * is shown in.
 */
export const faults = {
  beforeCommit: {
    title: 'SIGKILL before the commit',
    how: 'the insert of the delivery waits for a lock on the table; nothing was answered, the sender repeats',
    withinSeconds: 120,
    modes: either,
  },
  beforeAnswer: {
    title: 'SIGKILL after the commit, before its answer',
    how: 'the commit waits in a deferred trigger, and is carried out when the process is dead; the sender repeats',
    withinSeconds: 120,
    modes: either,
  },
  beforeStart: {
    title: 'SIGKILL after the record of a failed attempt, before its workflow is started',
    how: 'Temporal is down, the event is answered 202 and its first attempt fails; the retry comes 30 s later',
    withinSeconds: 120,
    modes: either,
  },
  afterStart: {
    title: 'SIGKILL after the workflow of a failed attempt is started',
    how: 'the first attempt fails; the next process finds the delivery as one that a gone process had, and leaves it to its workflow',
    withinSeconds: 120,
    modes: either,
  },
  duringPost: {
    title: 'SIGKILL during the POST',
    how: 'the receiver has the request and holds its answer',
    withinSeconds: 120,
    modes: either,
  },
  beforeRecord: {
    title: 'SIGKILL after the POST, before its record',
    how: 'the receiver has answered 200; writing that down waits for a lock on the table',
    withinSeconds: 120,
    modes: either,
  },
  duringSend: {
    title: 'SIGKILL during a send',
    how: 'the callback url of a channel has the first of two messages to a contact and holds its answer. Delivered here: the messages',
    withinSeconds: 120,
    modes: either,
  },
  duringDisabling: {
    title: 'SIGKILL during disabling',
    how: 'the sixth attempt has failed, the webhook is written; the insert of the mail waits for a lock on the table. Delivered here: the one e-mail',
    withinSeconds: 120,
    modes: either,
  },
  duringMail: {
    title: 'SIGKILL during mail',
    how: 'the mail server has the whole mail and has not answered. Delivered here: the e-mail',
    withinSeconds: 300,
    modes: either,
  },
  sigterm: {
    title: 'SIGTERM under load',
    how: '25 events/s, answered after 0.3 s; the process gets SIGTERM after 2 s, ends with exit code 0, and is started again',
    withinSeconds: 120,
    modes: eachWay,
  },
  temporalKilled: {
    title: 'SIGKILL of Temporal under load',
    how: '20 events/s; killed while receivers hold their answers, started again when 100 more are accepted',
    withinSeconds: 120,
    modes: eachWay,
  },
  postgresKilled: {
    title: 'SIGKILL of PostgreSQL under load',
    how: '20 events/s; killed while receivers hold their answers, which come then; started again 2 s after a sender was refused, who repeats what was not answered 202',
    withinSeconds: 120,
    modes: either,
  },
  diskFull: {
    title: 'PostgreSQL: disk full',
    how: '20 events/s; triggers raise SQLSTATE 53100 on attempts while receivers hold their answers, which come then; for 2 s on deliveries as well',
    withinSeconds: 120,
    modes: either,
  },
  connectionLimit: {
    title: 'PostgreSQL: no connection left',
    how: "20 events/s; the service's connections are cut while receivers hold their answers, which come when strangers have taken all 200, for 2 s more (SQLSTATE 53300)",
    withinSeconds: 120,
    modes: either,
  },
  mailRefused: {
    title: 'SMTP refusing',
    how: 'the mail server says 421, then 451, then takes it. Delivered here: the e-mail',
    withinSeconds: 120,
    modes: either,
  },
  hang: {
    title: 'A receiver that hangs',
    how: 'no answer to the first attempt, which is given up after 10 s; the retry comes 30 s later',
    withinSeconds: 120,
    modes: either,
  },
  reset: {
    title: 'A receiver that resets',
    how: 'a TCP reset to the first attempt; the retry comes 30 s later',
    withinSeconds: 120,
    modes: either,
  },
  oneInTen: {
    title: 'One receiver in ten hangs',
    how: 'nine webhooks at 18 deliveries/s beside a tenth at 45/s for 6 s, then for 14 s the same while the tenth answers nothing',
    withinSeconds: 300,
    modes: either,
  },
  batchRead: {
    title: 'The outbox: SIGKILL while a batch is read',
    how: 'one event to ten webhooks; the read waits for a lock on the table',
    withinSeconds: 120,
    modes: either,
  },
  batchSent: {
    title: 'The outbox: SIGKILL while a batch is under way',
    how: 'ten receivers have the request and hold their answers',
    withinSeconds: 120,
    modes: either,
  },
  batchHalfRecorded: {
    title: 'The outbox: SIGKILL while a batch is half recorded',
    how: 'ten receivers have answered 200; the record of the last waits for a lock on its row, and all that it has written is undone',
    withinSeconds: 120,
    modes: either,
  },
  batchWithoutPostgres: {
    title: 'The outbox: SIGKILL of PostgreSQL under a batch',
    how: 'ten receivers have the request, and answer 200 when there is no PostgreSQL, which is started again then',
    withinSeconds: 120,
    modes: either,
  },
  messageRead: {
    title: 'A message: SIGKILL before its send',
    how: 'the statement that takes its lane waits for a lock on a table',
    withinSeconds: 120,
    modes: either,
  },
  messageUnrecorded: {
    title: 'A message: SIGKILL after its send, before its record',
    how: 'the callback url has answered 200; writing that down waits for a lock on the row; another message is queued behind it',
    withinSeconds: 120,
    modes: either,
  },
  messageWithoutPostgres: {
    title: 'A message: SIGKILL of PostgreSQL under its send',
    how: 'the callback url has the first of two, and answers 200 when there is no PostgreSQL, which is started again then',
    withinSeconds: 120,
    modes: either,
  },
  talksKilled: {
    title: 'Conversations over webchat and Telegram: SIGKILL',
    how: 'twelve visitors and twelve users of Telegram each begin a flow, answer its question and hear its end; half of the visitors run the widget in two tabs, which follow the stream, the others read `changes`; the process is killed when a quarter was said. Delivered here: what the flow says',
    withinSeconds: 120,
    modes: either,
  },
  talksWithoutPostgres: {
    title: 'Conversations over webchat and Telegram: SIGKILL of PostgreSQL',
    how: 'the same',
    withinSeconds: 120,
    modes: either,
  },
  talksWithoutTemporal: {
    title: 'Conversations over webchat and Telegram: SIGKILL of Temporal',
    how: 'the same',
    withinSeconds: 120,
    modes: either,
  },
  atOnceKilled: {
    title: 'Conversations in which nobody waits: SIGKILL',
    how: 'the same people say five things each, one behind the other, and a colleague answers each three times over the API while the flow talks; killed when a quarter was told. Delivered here: what flow and colleague say',
    withinSeconds: 120,
    modes: either,
  },
  atOnceWithoutPostgres: {
    title: 'Conversations in which nobody waits: SIGKILL of PostgreSQL',
    how: 'the same',
    withinSeconds: 120,
    modes: either,
  },
  atOnceWithoutTemporal: {
    title: 'Conversations in which nobody waits: SIGKILL of Temporal',
    how: 'the same',
    withinSeconds: 120,
    modes: either,
  },
  takenKilled: {
    title: 'Conversations that agents take from a flow: SIGKILL',
    how: 'five visitors and five users of Telegram begin a flow; signed-in agents take each conversation over before its question is answered, write replies and a note, and hand it back or close it; then the contact answers, and the flow goes on. Killed while one step of each agent (the reply that takes it over, a note, a hand-back, a closing, a reply that closes) waits in its commit, which is carried out then. Delivered here: what flow and agents say',
    withinSeconds: 120,
    modes: either,
  },
  takenWithoutPostgres: {
    title: 'Conversations that agents take from a flow: SIGKILL of PostgreSQL',
    how: 'the same, and the steps are undone',
    withinSeconds: 120,
    modes: either,
  },
  takenWithoutTemporal: {
    title: 'Conversations that agents take from a flow: SIGKILL of Temporal',
    how: 'the same people; killed before these steps, and started again when all of them are answered',
    withinSeconds: 120,
    modes: either,
  },
  polledKilled: {
    title: 'Telegram by polling: SIGKILL in a batch',
    how: 'twenty-four users have said a word each and say the rest at once, as one batch; one contact is locked; killed when all but its messages are taken, and none is confirmed',
    withinSeconds: 120,
    modes: either,
  },
  polledWithoutPostgres: {
    title: 'Telegram by polling: SIGKILL of PostgreSQL',
    how: 'the same users say five things each at once, and a colleague answers each three times; killed when a quarter was told',
    withinSeconds: 60,
    modes: either,
  },
  polledWithoutTemporal: {
    title: 'Telegram by polling: SIGKILL of Temporal',
    how: 'the same users; killed before they write, and started again when all of them are answered',
    withinSeconds: 120,
    modes: either,
  },
  polledByTwo: {
    title: 'Telegram by polling: SIGKILL of the one of two processes that polls',
    how: 'the same users write at once, and a colleague answers; the other process polls when the lease is over, after 15 s without a report',
    withinSeconds: 60,
    modes: either,
  },
  temporalAway: {
    title: 'Temporal away for long',
    how: '10 events/s to two webhooks begin when it is killed, beside a message, a run, and a delivery whose first attempt has failed',
    withinSeconds: 300,
    modes: eachWay,
  },
  repeatedKills: {
    title: 'Repeated SIGKILL under full load',
    how: 'each event to ten webhooks, as fast as they go, answered after 0.1 s; the process is killed with POSTs under way, at equal shares of what was accepted',
    withinSeconds: 300,
    modes: eachWay,
  },
  runBeforeCommit: {
    title: 'A run: SIGKILL before the commit of a step',
    how: 'the insert of the step waits for a lock, the field is written; the message that has begun the run is lost with it, and comes again',
    withinSeconds: 120,
    modes: either,
  },
  runAfterCommit: {
    title: 'A run: SIGKILL after the commit of a step',
    how: 'the commit of message and step waits in a deferred trigger, and is carried out when the process is dead, which starts no workflow',
    withinSeconds: 120,
    modes: either,
  },
  runAnswered: {
    title: 'A run: SIGKILL after the commit of an answer and what follows it',
    how: 'the same with the answer to an ask: its workflow is not woken',
    withinSeconds: 120,
    modes: either,
  },
  runBeforeExchange: {
    title: 'A run: SIGKILL before the exchange of an External Request',
    how: 'the commit of its first transaction is carried out when the process is dead: it counts as sent',
    withinSeconds: 120,
    modes: either,
  },
  runDuringExchange: {
    title: 'A run: SIGKILL during the exchange of a PUT',
    how: 'in a workflow task, which is lost with it; the service has the request and holds its answer; it comes again with the same Idempotency-Key and bytes',
    withinSeconds: 120,
    modes: either,
  },
  runUnrepeatable: {
    title: 'A run: SIGKILL during the exchange of a POST',
    how: 'the same; it is not sent again, and the block is left by its port error',
    withinSeconds: 120,
    modes: either,
  },
  runBeforeRecord: {
    title: 'A run: SIGKILL before the second transaction of an External Request',
    how: 'the service has answered 200; the port of the step waits for a lock, the mapped field is written',
    withinSeconds: 120,
    modes: either,
  },
  runActivityKilled: {
    title: 'A run: SIGKILL during a request that is an activity',
    how: 'a PUT that may take longer than 10 s, or is made again; all other requests here are made in workflow tasks',
    withinSeconds: 120,
    modes: either,
  },
  runWithoutTemporal: {
    title: 'A run: SIGKILL of Temporal during a request in its workflow task',
    how: 'the service answers while Temporal is away, and the run comes to its end in its row; Temporal is away for longer than a workflow task lasts, so this one is lost and made again',
    withinSeconds: 120,
    modes: either,
  },
  runWithoutPostgres: {
    title: 'A run: SIGKILL of PostgreSQL during a request in its workflow task',
    how: 'the service answers while PostgreSQL is away; the answer is kept in memory',
    withinSeconds: 120,
    modes: either,
  },
  runDuringSend: {
    title: 'A run: SIGKILL during its send',
    how: 'the callback url has the first of two messages and holds its answer',
    withinSeconds: 120,
    modes: either,
  },
  runsKilled: {
    title: 'Runs under repeated SIGKILL',
    how: 'ask, set_field, a PUT that is answered after 0.1 s, wait_event, send; the process is killed with requests or messages under way, at equal shares of the steps',
    withinSeconds: 300,
    modes: either,
  },
  passThrows: {
    title: 'Blocks that throw in a pass',
    how: 'a trigger refuses the step behind a message, an answer, an event, an enrollment and a request, until all of them were tried; the same for each',
    withinSeconds: 120,
    modes: either,
  },
  laneRaced: {
    title: 'Two processes queue for one lane',
    how: 'messages to one contact through both at the same time, also as the lane is given up; one is sent at a time, in the order of the conversation. Delivered here: the messages',
    withinSeconds: 120,
    modes: either,
  },
  lanesOfKilled: {
    title: 'Two processes race for the lanes of a third one',
    how: 'SIGKILL of the third while each of its ten lanes has a message under way, and others behind it, which the two have queued. Delivered here: the messages',
    withinSeconds: 120,
    modes: either,
  },
  oneContactRaced: {
    title: 'Two processes race for one contact',
    how: 'twenty messages at the same time, each of them to both, begin flows that add to one field. Delivered here: the runs',
    withinSeconds: 120,
    modes: either,
  },
  contactRaced: {
    title: 'Two processes take all that contacts do',
    how: 'every message and every tag of a contact is handed to both at the same time: the first message, the answer, what a run waits for',
    withinSeconds: 120,
    modes: either,
  },
  contactRacedKilled: {
    title: 'Two processes take all that contacts do, and one is killed',
    how: 'the same; SIGKILL of one when half of the steps are done',
    withinSeconds: 120,
    modes: either,
  },
  retriesKilled: {
    title: 'A bulk retry of failed runs under repeated SIGKILL',
    how: 'each goes on from its failed block on a fixed version, with a PUT; the process is killed twice, at 30 and 60 % of the requests',
    withinSeconds: 300,
    modes: either,
  },
  runsWithoutPostgres: {
    title: 'Runs, and SIGKILL of PostgreSQL',
    how: 'the same flow; killed when two fifths of the steps are done, started again after 2 s',
    withinSeconds: 120,
    modes: either,
  },
  runsAskForgotten: {
    title: "Runs that wait for answers, and Temporal's file deleted",
    how: 'SIGKILL of Temporal, which starts with an empty file; the contacts answer then',
    withinSeconds: 120,
    modes: either,
  },
  runsDelayForgotten: {
    title: "Runs in a delay, and Temporal's file deleted",
    how: 'at the same time; the delay is 30 s, and the sweep looks 30 s after its end',
    withinSeconds: 300,
    modes: either,
  },
  runTerminated: {
    title: 'Workflows of runs, terminated',
    how: 'one waits for an answer, which comes then, and one in a delay of 5 s',
    withinSeconds: 120,
    modes: either,
  },
} as const;

export type Fault = keyof typeof faults;
