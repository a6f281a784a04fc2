import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useCustomFields } from '../../../parts/use-custom-fields.ts';
import { client } from '../../../api/client.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { asMock } from './answers.ts';
import {
  addInput,
  answerRequest,
  newSession,
  readStored,
  restart,
  simulationOf,
  type PhoneInput,
  type Session,
} from './session.ts';
import { findParting, tellAll, type Entry, type Simulation } from './transcript.ts';
import { useReplay, type ToPlay } from './use-replay.ts';
import { walkOfSimulation } from './walk.ts';

/** How long the draft rests before a conversation is played on it again, in ms. */
const restsMs = 400;

const begin = (): Session => newSession(new Date(), Math.floor(Math.random() * 1_000_000));

/** What an edit of the flow has changed of the conversation: the entry from which on it is another one; undefined where it is the same. */
export type Parting = { index: number | undefined };

/** The phone: a conversation with the draft as it is in the builder, or with a version. */
export const usePhone = () => {
  const { flowId, definition, contactId, setContactId, isSimulating, setWalk, simulatedFrom } = useBuilder();
  const [own, setSession] = useState(begin);
  const session = useMemo(
    (): Session => (contactId === undefined ? own : { ...own, contact: contactId }),
    [own, contactId],
  );
  const [scenario, setScenario] = useState<{ id: string; name: string }>();
  const [settled] = useDebouncedValue(definition, restsMs);
  const toPlay = useMemo((): ToPlay | undefined => {
    if (!isSimulating) return undefined;
    const { version } = session;
    const body = simulationOf(session, version === undefined ? settled : undefined);
    return {
      flowId,
      body: { ...body, ...(version === undefined ? { definition: settled } : { version }), real: false },
    };
  }, [flowId, session, settled, isSimulating]);
  const { played, failure, isPlaying, again } = useReplay(toPlay);
  const entries = useMemo(
    () => (played ? tellAll(played.simulation, session.inputs) : session.inputs.map(untaken)),
    [played, session.inputs],
  );
  const parting = useParting(played);
  const composer = useRef<HTMLInputElement>(null);
  // Responses are proposed by their types: they are known before one is needed.
  useCustomFields();

  useEffect(() => {
    if (played && isSimulating) setWalk(walkOfSimulation(played.simulation));
  }, [played, isSimulating, setWalk]);

  const from = useRef(simulatedFrom);
  useEffect(() => {
    if (simulatedFrom === from.current) return;
    from.current = simulatedFrom;
    setSession((now) => ({ ...restart(now, new Date()), start: simulatedFrom?.blockId, version: undefined }));
  }, [simulatedFrom]);

  /** Sends one request really, and keeps its response for this conversation. */
  const askReally = async (blockId: string, visit: number): Promise<void> => {
    if (!toPlay) return;
    const { data } = await client.POST('/flows/{id}/simulate', {
      params: { path: { id: flowId } },
      body: { ...toPlay.body, real: true, real_requests: 1 },
    });
    const sent = data?.requests.findLast(({ mocked }) => !mocked);
    if (sent?.block_id !== blockId) return;
    const mock = asMock(sent);
    setSession((now) => answerRequest(now, blockId, visit, { how: 'real', mock }));
  };

  return {
    session,
    setSession,
    entries,
    simulation: played?.simulation,
    /** Whether what is shown is what the conversation is now. */
    isCurrent: played !== undefined && played.toPlay === toPlay,
    parting,
    failure,
    isPlaying,
    again,
    askReally,
    /** Where the contact writes: what was clicked and is gone gives the focus there. */
    composer,
    /** The scenario that was opened last. */
    scenario,
    openScenario: (opened: { id: string; name: string; simulation: Readonly<Record<string, unknown>> }): void => {
      const next = readStored(opened.simulation, { now: new Date(), seed: own.seed });
      setContactId(typeof next.contact === 'string' ? next.contact : undefined);
      setScenario(opened);
      setSession(next);
    },
    /** Begins on a published version, or on the draft. */
    playVersion: (version: number | undefined) =>
      setSession((now) => ({ ...restart(now, new Date()), version, start: undefined })),
    send: (input: PhoneInput) => setSession((now) => addInput(now, input)),
    startOver: () => setSession((now) => restart(now, new Date())),
  };
};

export type PhoneState = ReturnType<typeof usePhone>;

const untaken = (input: PhoneInput, index: number): Entry => ({ type: 'input', index, input, taken: undefined });

type Played = { toPlay: ToPlay; simulation: Simulation };

const inputsOf = ({ toPlay: { body } }: Played) => body.inputs ?? [];

/** All but the definition: the same conversation, on another flow. */
const isSameTalk = (a: Played, b: Played): boolean => {
  const talkOf = ({ toPlay: { body } }: Played) => JSON.stringify({ ...body, definition: undefined, mocks: undefined });
  return talkOf(a) === talkOf(b);
};

/** What the latest edit of the flow has changed, until something else is played. */
const useParting = (played: Played | undefined): Parting | undefined => {
  const [parting, setParting] = useState<Parting>();
  const before = useRef<Played | undefined>(undefined);
  useEffect(() => {
    const { current: last } = before;
    before.current = played;
    if (!played || !last || last === played) return;
    const isEdited = last.toPlay.body.definition !== played.toPlay.body.definition;
    if (!isEdited || !isSameTalk(last, played) || inputsOf(played).length === 0) {
      setParting(undefined);
      return;
    }
    const [was, is] = [tellAll(last.simulation, inputsOf(last)), tellAll(played.simulation, inputsOf(played))];
    setParting({ index: findParting(was, is) });
  }, [played]);
  return parting;
};
