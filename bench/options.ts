import { parseArgs } from 'node:util';
import { z } from 'zod';

const usage = `npm run bench -- [--seconds 15] [--rates 20,40,60] [--rounds 3] [--outstanding 200] [--json FILE] [--profile DIR]

  --seconds      how long each rate is held; a round at saturation takes a third of it
  --rates        messages per second, evenly spaced
  --rounds       rounds at saturation, in turn with those of the two yardsticks; their medians are told
  --outstanding  messages handed in and not received yet, at saturation
  --json         everything that was measured, into this file
  --profile      a CPU profile of Parley's process into this folder (which slows it)
`;

const positive = z.coerce.number().positive();
const schema = z.object({
  seconds: positive,
  rates: z.string().transform((text, ctx) => {
    const rates = z.array(positive.int()).min(1).safeParse(text.split(','));
    if (rates.success) return rates.data;
    ctx.addIssue({ code: 'custom', message: 'must be numbers such as 20,40,60' });
    return z.NEVER;
  }),
  rounds: positive.int(),
  outstanding: positive.int(),
  json: z.string().optional(),
  profile: z.string().optional(),
});

export type Options = z.infer<typeof schema>;

/** Throws an error that says what is wrong with the command line, and how it should be. */
export const parseOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '15' },
      rates: { type: 'string', default: '20,40,60' },
      rounds: { type: 'string', default: '3' },
      outstanding: { type: 'string', default: '200' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { data, error } = schema.safeParse(values);
  if (data) return data;
  throw new Error(`${error.issues.map(({ path, message }) => `--${path.join()} ${message}`).join('\n')}\n\n${usage}`);
};
