import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parts, type Part } from './parts.ts';

export const usage = `npm run bench -- [--only PART,...] [options]

  --only         speed (when not given), or any of ${parts.join(', ')}
  --seconds      15: how long each rate is held; rounds and scenarios take a third to four times of it
  --rounds       3: rounds at saturation, in turn with what they are compared to; their medians are told
  --outstanding  200: messages handed in and not received yet, at saturation
  --json         everything that was measured, into this file
  --help         this

speed: Parley beside two yardsticks
  --rates        20,40,60: messages per second, evenly spaced
  --profile      a CPU profile of Parley's process into this folder (which slows it)
hanging: one receiver in ten hangs for ten seconds; about 5 minutes
fairness: what one account's flood, and its hanging webhooks, do to others and to itself; about 2 minutes
stored: what a delivery straight from the outbox and a page of the log cost with many stored deliveries; about 6 minutes
  --stored       1000000: how many
scale: two API and two worker processes beside a single one, of which two are killed; about 8 minutes
  --offered      50,100,200: deliveries a second at which the cost is compared
sizing: what a million events, runs and messages take on disk; about 3 minutes
  --sized        20000: how many events; a tenth of it are runs
memory: after so many deliveries, and after so many more; about 4 minutes at 60 deliveries a second
  --memory       3000,15000: when it is read (10000,50000 takes a quarter of an hour)
replay: a bulk replay beside live deliveries; about 10 minutes
  --replay       10000: how many
  --pace         20: deliveries a second
flows: conversations with flows, runs of a flow beside the floor, contacts that wait, and messages where keywords are live; about 15 minutes
  --talks        5,20,50: messages a second that flows answer
  --waiting      10000: contacts that wait in asks and delays
volume: both values of WORKFLOW_PER_DELIVERY beside a plain queue, a bare outbox and an empty activity; about 15 minutes
domain: lists, searches and inbound messages of an account that has much, beside one that has little; about 15 minutes
  --contacts     1000000: how many, each with a conversation or two
  --messages     5000000: how many
live: open streams of visitors, messages over them, and what agents see; about 4 minutes
  --visitors     950: how many streams; a process has room for 1,000, of which one account may take half
`;

const positive = z.coerce.number().positive();
const count = positive.int();
const numbers = (text: string, ctx: z.RefinementCtx): number[] => {
  const list = z.array(count).min(1).safeParse(text.split(','));
  if (list.success) return list.data;
  ctx.addIssue({ code: 'custom', message: 'must be numbers such as 20,40,60' });
  return z.NEVER;
};
const schema = z.object({
  only: z.string().transform((text, ctx): Part[] => {
    const chosen = z.array(z.enum(parts)).safeParse(text.split(','));
    if (chosen.success) return chosen.data;
    ctx.addIssue({ code: 'custom', message: `must be of ${parts.join(', ')}` });
    return z.NEVER;
  }),
  seconds: positive,
  rates: z.string().transform(numbers),
  rounds: count,
  outstanding: count,
  stored: count,
  offered: z.string().transform(numbers),
  sized: count.min(1_000),
  memory: z.string().transform((text, ctx): [number, number] => {
    const [first, last, ...more] = numbers(text, ctx);
    if (first !== undefined && last !== undefined && more.length === 0) return [first, last];
    ctx.addIssue({ code: 'custom', message: 'must be two numbers such as 3000,15000' });
    return z.NEVER;
  }),
  replay: count,
  pace: count.max(200),
  talks: z.string().transform(numbers),
  waiting: count,
  contacts: count,
  messages: count,
  visitors: count.max(950),
  json: z.string().optional(),
  profile: z.string().optional(),
});

export type Options = z.infer<typeof schema>;

/** Reads the command line. Undefined when help is wanted. Throws an error that says what is wrong, with the usage. */
export const parseOptions = (args: readonly string[]): Options | undefined => {
  const { help, ...values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      only: { type: 'string', default: 'speed' },
      seconds: { type: 'string', default: '15' },
      rates: { type: 'string', default: '20,40,60' },
      rounds: { type: 'string', default: '3' },
      outstanding: { type: 'string', default: '200' },
      stored: { type: 'string', default: '1000000' },
      offered: { type: 'string', default: '50,100,200' },
      sized: { type: 'string', default: '20000' },
      memory: { type: 'string', default: '3000,15000' },
      replay: { type: 'string', default: '10000' },
      pace: { type: 'string', default: '20' },
      talks: { type: 'string', default: '5,20,50' },
      waiting: { type: 'string', default: '10000' },
      contacts: { type: 'string', default: '1000000' },
      messages: { type: 'string', default: '5000000' },
      visitors: { type: 'string', default: '950' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  }).values;
  if (help) return undefined;
  const { data, error } = schema.safeParse(values);
  if (data) return data;
  throw new Error(`${error.issues.map(({ path, message }) => `--${path.join()} ${message}`).join('\n')}\n\n${usage}`);
};
