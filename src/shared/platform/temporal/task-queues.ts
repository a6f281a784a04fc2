/** The task queues, each with its own workers. `maintenance` has bulk replays and retention, which must not hold up deliveries. */
export const taskQueues = {
  deliveries: 'deliveries',
  mail: 'mail',
  messages: 'messages',
  maintenance: 'maintenance',
  flows: 'flows',
} as const;
