import type { FieldValue } from '../custom-fields/values.ts';
import type { FieldsInZone } from '../flows/blocks/fields.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Task } from '../platform/threads/task.ts';
import type { Threads } from '../platform/threads/threads.ts';
import { mapResponse, type MappedResponse, type Mapping, type WholeResponse } from './map-response.ts';
import { createRedactor } from './redact.ts';

/** What mapping needs, all of which can be cloned. No mapped value may hold one of the secrets. */
type Input = {
  mappings: readonly Mapping[];
  response: WholeResponse;
  known: FieldsInZone;
  /** Which meaning the block has. */
  v: number;
  secrets: readonly string[];
};

/** Maps the response of an account's request. */
export type MapResponse = (accountId: string, input: Input) => Promise<MappedResponse>;

/** What is done where that is quick. */
export const map = ({ mappings, response, known, v, secrets }: Input): MappedResponse =>
  mapResponse(mappings, response, { ...known, v, holdsSecret: createRedactor(secrets).isIn });

/** The same with each value as JSON: a number that is exact would be lost where it is cloned. */
export const mapToJson = (input: Input): MappedResponse => withValues(map(input), (value) => JSON.stringify(value));

const withValues = ({ ok, fields }: MappedResponse, change: (value: FieldValue) => FieldValue): MappedResponse => ({
  ok,
  fields: fields.map((field) => (field.outcome === 'set' ? { ...field, value: change(field.value) } : field)),
});

const task: Task<Input, MappedResponse> = { module: import.meta.url, name: 'mapToJson', waitsAlways: true };

/** Maps in this thread, for those who have a process to themselves. */
export const mapHere: MapResponse = async (_accountId, input) => map(input);

/** Maps on a thread whatever may take long. What takes more CPU time than a task may has failed, and nothing is written. */
export const createMapOnThread =
  (threads: Threads): MapResponse =>
  async (accountId, input) => {
    if (!mayTakeLong(input)) return map(input);
    const done = await threads.run(accountId, task, input);
    return done.type === 'done'
      ? withValues(done.output, readValue)
      : { ok: false, fields: input.mappings.map(tooLong) };
  };

const readValue = (json: FieldValue): FieldValue => (typeof json === 'string' ? (parseJson(json) ?? '') : json);

/** As much as is mapped at once: characters of paths, and bytes of a body. */
const quick = { paths: 2_000, bodyBytes: 65_536 } as const;

/** What a path that may lead to many places has in it. */
const searching = /\.\.|[*?:,]/;

const mayTakeLong = ({ mappings, response: { body } }: Input): boolean =>
  mappings.some(({ path }) => searching.test(path)) ||
  mappings.reduce((characters, { path }) => characters + path.length, 0) > quick.paths ||
  (mappings.length > 0 && body.byteLength > quick.bodyBytes);

const tooLong = ({ path, field }: Mapping) =>
  ({
    path,
    field,
    type: null,
    outcome: 'failed',
    problem: 'takes more than a second to find: have shorter paths',
  }) as const;
