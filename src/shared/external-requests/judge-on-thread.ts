import type { FieldValue } from '../custom-fields/values.ts';
import type { FieldsInZone } from '../flows/blocks/fields.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Task } from '../platform/threads/task.ts';
import type { Threads } from '../platform/threads/threads.ts';
import { isGoodStatus, judge, unjudged, type Judged } from './judge-response.ts';
import { mapResponse, type MappedResponse, type Mapping } from './map-response.ts';
import { createRedactor } from './redact.ts';
import { createSource, type WholeResponse } from './response-source.ts';

/** What of a block decides what a response means. */
type Config = Pick<ExternalRequest, 'success_when' | 'mapping' | 'error_mapping'>;

/** What judging and mapping need, all of which can be cloned. No mapped value may hold one of the secrets. */
type Input = {
  config: Config;
  response: WholeResponse;
  known: FieldsInZone;
  /** Which meaning the block has. */
  v: number;
  secrets: readonly string[];
};

/** Whether a response is a success, and what its mappings come to. */
export type JudgedResponse = Judged & { mapped: MappedResponse };

/** Judges and maps the response of an account's request. */
export type JudgeResponse = (accountId: string, input: Input) => Promise<JudgedResponse>;

/** What is done where that is quick. */
export const judgeAndMap = ({ config, response, known, v, secrets }: Input): JudgedResponse => {
  const source = createSource(response, v);
  const judged = judge(config, { status: response.status, source, timeZone: known.timeZone });
  const { isSuccess } = judged;
  const holdsSecret = createRedactor(secrets).isIn;
  return {
    ...judged,
    mapped: mapResponse(mappingsOf(config, judged), source, { ...known, v, isSuccess, holdsSecret }),
  };
};

/** The mappings of a success, or those of every other answer. */
const mappingsOf = ({ mapping = [], error_mapping: errorMapping = [] }: Config, { isSuccess }: Judged) =>
  isSuccess ? mapping : errorMapping;

/** The same with each value as JSON: a number that is exact would be lost where it is cloned. */
export const judgeToJson = (input: Input): JudgedResponse =>
  withValues(judgeAndMap(input), (value) => JSON.stringify(value));

const withValues = (judged: JudgedResponse, change: (value: FieldValue) => FieldValue): JudgedResponse => {
  const fields = judged.mapped.fields.map((field) =>
    field.outcome === 'set' ? { ...field, value: change(field.value) } : field,
  );
  return { ...judged, mapped: { ...judged.mapped, fields } };
};

const task: Task<Input, JudgedResponse> = { module: import.meta.url, name: 'judgeToJson', waitsAlways: true };

/** Judges in this thread, for those who have a process to themselves. */
export const judgeHere: JudgeResponse = async (_accountId, input) => judgeAndMap(input);

/**
 * Judges on a thread whatever may take long. What takes more CPU time than a task may has failed: its rules do not hold, and nothing is
 * written.
 */
export const createJudgeOnThread =
  (threads: Threads): JudgeResponse =>
  async (accountId, input) => {
    if (!mayTakeLong(input)) return judgeAndMap(input);
    const done = await threads.run(accountId, task, input);
    return done.type === 'done' ? withValues(done.output, readValue) : tookTooLong(input);
  };

const readValue = (json: FieldValue): FieldValue => (typeof json === 'string' ? (parseJson(json) ?? '') : json);

/** As much as is judged and mapped at once: characters of paths, and bytes of a body. */
const quick = { paths: 2_000, bodyBytes: 65_536 } as const;

/** What a path that may lead to many places has in it. */
const searching = /\.\.|[*?:,]/;

const mayTakeLong = ({ config, response: { status, body } }: Input): boolean => {
  const { success_when: successWhen, mapping = [], error_mapping: errorMapping = [] } = config;
  const read = successWhen
    ? [...successWhen.rules, ...mapping, ...errorMapping]
    : mappingsOf(config, { isSuccess: isGoodStatus(status) });
  const paths = read.map(({ path }) => path);
  return (
    paths.some((path) => searching.test(path)) ||
    paths.reduce((characters, path) => characters + path.length, 0) > quick.paths ||
    (paths.length > 0 && body.byteLength > quick.bodyBytes)
  );
};

const tookTooLong = ({ config, response: { status } }: Input): JudgedResponse => {
  const judged: Judged = config.success_when
    ? { isSuccess: false, unmet: unjudged }
    : { isSuccess: isGoodStatus(status) };
  return { ...judged, mapped: { ok: false, fields: mappingsOf(config, judged).map(tooLong) } };
};

const tooLong = ({ path, field }: Mapping) =>
  ({
    path,
    field,
    type: null,
    outcome: 'failed',
    problem: 'takes more than a second to find: have shorter paths',
  }) as const;
