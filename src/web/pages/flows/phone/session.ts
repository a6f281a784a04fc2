import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { components } from '../../../api/paths.gen.d.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { findBlock } from '../edits/blocks.ts';

type Asked = components['schemas']['NewSimulation'];

export type PhoneInput = NonNullable<Asked['inputs']>[number];
export type PhoneContact = NonNullable<Asked['contact']>;
type Mock = NonNullable<Asked['mocks']>[string];

/** What another service responds to one request. */
export type MockAnswer = Exclude<Mock, unknown[]>;

/** How a response was chosen. A real one holds for its request alone. */
type HowAnswered = 'success' | 'not_found' | 'timeout' | 'no_connection' | 'last' | 'real' | 'stored';

/** A response as it was chosen. */
export type Answer = { how: HowAnswered; mock: MockAnswer };

/** A conversation as it is played: from these the server makes all of it again, each time. */
export type Session = {
  /** A published version; the draft where it is not given. */
  version?: number | undefined;
  /** The block to begin at. */
  start?: string | undefined;
  contact: PhoneContact;
  params: Readonly<Record<string, unknown>>;
  now: string;
  seed: number;
  inputs: readonly PhoneInput[];
  /** By block, one for each request of it; the last one holds for later ones. */
  answers: Readonly<Record<string, readonly Answer[]>>;
};

/** The most that a conversation takes, as the API says. */
export const mostInputs = 200;

/** How many requests of a block get a chosen response: one who has more of them is asked again. */
const answered = 50;

/** A contact of whom nothing is known but a name. */
export const scratchContact: PhoneContact = { first_name: 'Ada', custom_fields: {}, tags: [] };

/** A conversation that has not begun. */
export const newSession = (now: Date, seed: number): Session => ({
  contact: scratchContact,
  params: {},
  now: now.toISOString(),
  seed,
  inputs: [],
  answers: {},
});

/** The same contact and responses from the beginning. */
export const restart = (session: Session, now: Date): Session => ({ ...session, now: now.toISOString(), inputs: [] });

export const addInput = (session: Session, input: PhoneInput): Session =>
  session.inputs.length >= mostInputs ? session : { ...session, inputs: [...session.inputs, input] };

/** Answers a request of a block, counted from 1, and those that follow it; earlier ones keep their responses. */
export const answerRequest = (session: Session, block: string, visit: number, answer: Answer): Session => {
  const given = session.answers[block] ?? [];
  const [last] = given.slice(-1);
  const before = Array.from({ length: visit - 1 }, (_, index) => given[index] ?? last ?? answer);
  return { ...session, answers: { ...session.answers, [block]: [...before, answer] } };
};

/** How a request of a block is answered. */
export const answerOf = ({ answers }: Session, block: string, visit: number): Answer | undefined => {
  const given = answers[block] ?? [];
  const last = given.at(-1);
  return given[visit - 1] ?? (last?.how === 'real' ? undefined : last);
};

const mockOf = (given: readonly Answer[]): Mock => {
  const [first] = given;
  const last = given.at(-1);
  if (!first || !last) return [];
  if (given.length === 1 && last.how !== 'real') return first.mock;
  const more = last.how === 'real' ? 0 : Math.max(0, answered - given.length);
  return [...given, ...Array.from({ length: more }, () => last)].map(({ mock }) => mock);
};

const mocksOf = ({ answers }: Session, isRequest: (block: string) => boolean): Record<string, Mock> =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([block, given]) => (isRequest(block) ? [[block, mockOf(given)]] : [])),
  );

/** What the server keeps of a conversation in a scenario, and plays. */
export const simulationOf = (session: Session, definition: AnyDefinition | undefined) => {
  const isRequest = (id: string): boolean =>
    definition === undefined || findBlock(definition, id)?.['type'] === 'external_request';
  const { start, contact, params, now, seed, inputs } = session;
  return {
    ...(start !== undefined && { start }),
    contact,
    params,
    now,
    seed,
    inputs: [...inputs],
    mocks: mocksOf(session, isRequest),
  };
};

/** A stored scenario as a conversation. */
export const readStored = (
  stored: Readonly<Record<string, unknown>>,
  { now, seed }: { now: Date; seed: number },
): Session => {
  const { start, contact, params, inputs, mocks } = stored;
  const isMock = (given: unknown): given is Mock => isObject(given) || Array.isArray(given);
  const isContact = (given: unknown): given is PhoneContact => typeof given === 'string' || isObject(given);
  const isInputs = (given: unknown): given is PhoneInput[] => Array.isArray(given) && given.every(isObject);
  const answersOf = (mock: Mock): Answer[] =>
    (Array.isArray(mock) ? mock : [mock]).flatMap((one) => {
      const [first] = Array.isArray(one) ? one : [one];
      return first ? [{ how: 'stored', mock: first } as const] : [];
    });
  return {
    ...newSession(now, seed),
    ...(typeof start === 'string' && { start }),
    ...(isContact(contact) && { contact }),
    ...(isObject(params) && { params }),
    ...(typeof stored['now'] === 'string' && { now: stored['now'] }),
    ...(typeof stored['seed'] === 'number' && { seed: stored['seed'] }),
    inputs: isInputs(inputs) ? inputs : [],
    answers: Object.fromEntries(
      Object.entries(isObject(mocks) ? mocks : {}).flatMap(([block, mock]) =>
        isMock(mock) ? [[block, answersOf(mock)]] : [],
      ),
    ),
  };
};
