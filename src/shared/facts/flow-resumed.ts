/** A flow is paused no more, because it was resumed or archived; ids are UUIDs. */
export const flowResumed = (flow: { accountId: string; flowId: string }) =>
  ({ name: 'flow_resumed', topics: ['flows', 'runs'], ...flow }) as const;
