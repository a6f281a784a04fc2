import type { z } from 'zod';
import type { Topic } from './topics.ts';

/**
 * What an event declares. An event is a fact, told in the transaction of what happened, that webhooks may subscribe to. Facts that stay inside are
 * in `private-facts.ts`.
 */
type Declaration<Name extends string, Data extends z.ZodObject, Variants> = {
  name: Name;
  /** What it tells beside account, contact and time. Ids in it are TypeIDs. */
  data: Data;
  /** What pages have to read again. */
  topics: readonly Topic[];
  /** A sentence without its full stop: what has to happen. */
  meaning: string;
  /** Further sentences for receivers, in Markdown. */
  details?: string;
  /** The version of Parley that sends it first. */
  since: string;
  /** The variants of webhooks that may have it (specification 6.1). */
  variants: Variants;
  /** The data of variant B where they are fewer: whatever this does not name is left out. */
  dashboardData?: z.ZodObject;
  /** Data for test events and documents. Its ids belong to nothing. */
  sample: (occurredAt: Date) => z.output<Data>;
  /** What happened to the contact, for those who may not read the data. */
  happened: string;
  /** The same for those who may. */
  tell?: (data: z.output<Data>) => string;
};

/** Declares an event. Pages that show events or contacts read them again after each. */
export const declareEvent = <
  const Name extends string,
  Data extends z.ZodObject,
  const Variants extends readonly ('api' | 'dashboard')[],
>({
  sample,
  happened,
  tell,
  topics,
  ...event
}: Declaration<Name, Data, Variants>) => ({
  ...event,
  topics: ['events', 'contacts', ...topics] satisfies Topic[],
  sample: (occurredAt: Date) => ({ name: event.name, ...sample(occurredAt) }),
  /** What happened in a sentence, with the data where they are given and can be read. */
  say: (given: unknown): string => {
    const { data } = event.data.safeParse(given);
    return data && tell ? tell(data) : happened;
  },
});
