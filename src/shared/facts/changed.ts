import type { Topic } from './topics.ts';

/** Something of these topics has changed for an account, a UUID: its pages read them again, and nothing else follows. */
export const changed = (accountId: string, ...topics: Topic[]) => ({ name: 'changed', accountId, topics }) as const;
