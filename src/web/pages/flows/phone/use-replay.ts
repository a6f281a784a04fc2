import { useCallback, useEffect, useRef, useState } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import type { Simulation } from './transcript.ts';

/** What is to be played. Another object is played anew. */
export type ToPlay = { flowId: string; body: Schemas['NewSimulation'] };

type Replay = {
  /** The latest answer, and what it is the answer to. */
  played: { toPlay: ToPlay; simulation: Simulation } | undefined;
  /** Why the latest could not be played; undefined when it was. */
  failure: unknown;
  isPlaying: boolean;
  /** Plays the same again. */
  again: () => void;
};

/** Plays a conversation each time that it changes: one at a time, and after each the newest. Nothing is played while `toPlay` is undefined. */
export const useReplay = (toPlay: ToPlay | undefined): Replay => {
  const [played, setPlayed] = useState<Replay['played']>();
  const [failure, setFailure] = useState<unknown>();
  const [isPlaying, setPlaying] = useState(false);
  const newest = useRef<ToPlay | undefined>(undefined);
  const isUnderWay = useRef(false);

  const play = useCallback(async (): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPlaying(true);
    let asked: ToPlay | undefined;
    while (newest.current !== undefined && newest.current !== asked) {
      asked = newest.current;
      const { flowId, body } = asked;
      try {
        const { data } = await client.POST('/flows/{id}/simulate', { params: { path: { id: flowId } }, body });
        if (data && newest.current === asked) {
          setPlayed({ toPlay: asked, simulation: data });
          setFailure(undefined);
        }
      } catch (error) {
        if (newest.current === asked) setFailure(error);
      }
    }
    isUnderWay.current = false;
    setPlaying(false);
  }, []);

  useEffect(() => {
    newest.current = toPlay;
    if (toPlay) void play();
    // What comes after the page is left is for nobody.
    return () => {
      newest.current = undefined;
    };
  }, [toPlay, play]);

  const again = (): void => {
    newest.current = toPlay && { ...toPlay };
    void play();
  };
  return { played, failure, isPlaying, again };
};
