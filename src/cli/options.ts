import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { parseId, type ListedNoun } from '../shared/ids.ts';
import { inDigits } from '../shared/in-digits.ts';

/** A noun as command lines have it. */
export const nameOf = (noun: ListedNoun): string => (noun === 'apiKey' ? 'key' : noun);

/** Parses an argument that is a TypeID of this noun into its UUID. */
export const idOf =
  (noun: ListedNoun) =>
  (text: string): string => {
    const id = parseId(noun, text);
    if (id === undefined) throw new InvalidArgumentError(`Not a valid ${nameOf(noun)} id.`);
    return id;
  };

/** Parses an argument by a schema of the domain. */
export const by =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string): z.infer<Schema> => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const problems = new Set(parsed.error.issues.map(({ message }) => message));
    throw new InvalidArgumentError(`${[...problems].join('; ')}.`);
  };

/** `--account`, where an account is asked for; left out when the installation has just one. */
export const accountOption = (): Option =>
  new Option('--account <id>', 'the account; optional when there is only one').argParser(idOf('account'));

/** Ways to write a time. */
export const exampleTimes = "2026-01-31, 2026-01-31T12:00 on the account's clock, or 2026-01-31T12:00:00Z";

/** `--limit`, of lists. */
export const limitOption = (): Option =>
  new Option('--limit <number>', 'the most rows to list, newest first').default(50).argParser((text) => {
    const limit = inDigits(z.int().min(1).max(1000)).safeParse(text);
    if (!limit.success) throw new InvalidArgumentError('Must be 1 to 1000.');
    return limit.data;
  });
