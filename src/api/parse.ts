import { z } from 'zod';
import { invalid, type Problem } from '../shared/errors.ts';
import { codeOfIssue, sayIssue } from '../shared/platform/say-issue.ts';
import { bodyBytes, readJson } from './body.ts';
import { checkValues, requireFewValues } from './check-values.ts';
import type { ApiContext } from './http.ts';

/** Whether a request of this schema must have a body. */
export const needsBody = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

/** What a body may have at most: bytes, and values in them. */
export type BodyLimits = { bytes: number | undefined; values: number | undefined };

/**
 * The JSON of the body; undefined for none where the schema takes that. 400 for what is no JSON, 413 for more bytes than `limits` allow, 415,
 * 422 for a large one of too many values, and 429 for one of too many large ones.
 */
export const readBody = async (ctx: ApiContext, schema: z.ZodType, limits: BodyLimits): Promise<unknown> => {
  const bytes = await bodyBytes(ctx, limits.bytes);
  if (bytes.length === 0 && !needsBody(schema)) return undefined;
  const { parseInSlot = (_, parse) => parse() } = ctx.state;
  return parseInSlot(bytes, () => {
    requireFewValues(bytes, limits.values);
    return readJson(ctx.request, bytes);
  });
};

/** The body as the schema wants it. 422 with every problem at once: also those that no schema sees, by `findMore`. */
export const parseBody = async <Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  {
    maxValues,
    findMore,
  }: {
    maxValues: number | undefined;
    findMore: (given: { body: unknown; isRefused: boolean }) => Promise<readonly Problem[]>;
  },
): Promise<z.infer<Schema>> => {
  const parsed = parse(schema, value, maxValues);
  const more = await findMore({ body: value, isRefused: !parsed.ok });
  if (parsed.ok && more.length === 0) return parsed.data;
  const problems = parsed.ok ? [] : parsed.problems;
  const told = new Set(problems.map(({ path }) => path));
  throw invalid([...problems, ...more.filter(({ path }) => !told.has(path))]);
};

/** What may be in a list of bodies: how many at most, and how many values in all of them. */
export type ListLimits = { most: number; maxValues: number };

/** A list of bodies, each as the schema wants it or with its problems. 422 for one that is empty or holds too much. */
export const parseList = <Schema extends z.ZodType>(
  list: readonly unknown[],
  schema: Schema,
  { most, maxValues }: ListLimits,
): Parsed<z.infer<Schema>>[] => {
  if (list.length === 0) throw invalid({ path: '', message: 'must have at least 1 item', code: 'too_small' });
  if (list.length > most) throw invalid({ path: '', message: `must have at most ${most} items`, code: 'too_big' });
  // Of the list as a whole, only that it holds too many values can be wrong.
  const ofAll = checkValues(list, maxValues).filter(({ path }) => path === '');
  if (ofAll.length > 0) throw invalid(ofAll);
  return list.map((value) => parse(schema, value));
};

/** The query as the schema wants it. A parameter that is repeated is a problem, unless the schema has a list of it. */
export const parseQuery = <Schema extends z.ZodType>(ctx: ApiContext, schema: Schema): z.infer<Schema> => {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    const values = given.get(name);
    if (values) values.push(value);
    else given.set(name, [value]);
  }
  const entries = Array.from(given, ([name, values]) => ({ name, values, isList: isList(schema, name) }));
  const repeated = entries.filter(({ values, isList }) => values.length > 1 && !isList);
  if (repeated.length > 0)
    throw invalid(repeated.map(({ name }) => ({ path: name, message: 'is given more than once' })));
  const query = entries.map(({ name, values, isList }) => [name, isList ? values : values[0]] as const);
  const parsed = parse(schema, Object.fromEntries(query));
  if (!parsed.ok) throw invalid(parsed.problems);
  return parsed.data;
};

const isList = (schema: z.ZodType, name: string): boolean => {
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, name)) return false;
  const parameter: unknown = schema.shape[name];
  return (parameter instanceof z.ZodOptional ? parameter.unwrap() : parameter) instanceof z.ZodArray;
};

/** What the path names, percent-decoded, as the schema wants it. */
export const parseParams = <Schema extends z.ZodObject>(ctx: ApiContext, schema: Schema): z.infer<Schema> => {
  const names = Object.keys(schema.shape);
  const parsed = parse(schema, Object.fromEntries(names.map((name) => [name, ctx.params[name]])));
  if (!parsed.ok) throw invalid(parsed.problems);
  return parsed.data;
};

/** What came of parsing one value. */
export type Parsed<Data> = { ok: true; data: Data } | { ok: false; problems: Problem[] };

const parse = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  maxValues?: number,
): Parsed<z.infer<Schema>> => {
  const problems = checkValues(value, maxValues);
  if (problems.length > 0) return { ok: false, problems };
  const parsed = schema.safeParse(value, { error: sayIssue, reportInput: true });
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, schema)) };
};

/** Whether a field of a body may be null, which empties it. */
const takesNull = (schema: z.ZodType, [name, ...below]: readonly PropertyKey[]): boolean => {
  if (!(schema instanceof z.ZodObject) || below.length > 0 || !Object.hasOwn(schema.shape, String(name))) return false;
  const field: unknown = schema.shape[String(name)];
  return field instanceof z.ZodType && field.safeParse(null).success;
};

const problemsOf = (issue: z.core.$ZodIssue, schema: z.ZodType): Problem[] => {
  const path = issue.path.join('.');
  const code = codeOfIssue(issue);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: issue.message, code }));
  }
  // What is wrong with a key of a record is told one level down.
  if (issue.code === 'invalid_key')
    return issue.issues.map((inner) => ({ path, message: inner.message, code: codeOfIssue(inner) }));
  const isToClear = issue.input === '' && takesNull(schema, issue.path);
  return [{ path, message: isToClear ? `${issue.message}; send null to clear it` : issue.message, code }];
};
