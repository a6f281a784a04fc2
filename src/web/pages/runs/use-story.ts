import { useMemo } from 'react';
import { useList, type List, type RowOf } from '../../parts/use-list.ts';
import { useCovering } from './use-covering.ts';

type Step = RowOf<'/runs/{id}/steps'>;
export type Request = RowOf<'/runs/{id}/requests'>;
type RunMessage = RowOf<'/runs/{id}/messages'>;

/** A step with what was said in it and what it asked of other services, each from the first on. */
export type ToldStep = Step & { messages: readonly RunMessage[]; requests: readonly Request[] };

/** What happened in a run, as far as it is loaded. */
export type Story = {
  /** From the beginning; undefined while nothing is known. */
  steps: readonly ToldStep[] | undefined;
  /** The message that the run was started by, once the beginning is loaded. */
  first: RunMessage | undefined;
  /** Of each of its three parts. */
  lists: readonly List<unknown>[];
};

/** Rows by their step, from the first on. They come the latest first. */
const byStep = <Row extends { step: number }>(rows: readonly Row[] = []): ReadonlyMap<number, Row[]> =>
  Map.groupBy(rows.toReversed(), ({ step }) => step);

/** The latest hundred steps of a run, and earlier ones when asked, with their messages and requests. */
export const useStory = (runId: string): Story => {
  const steps = useList('/runs/{id}/steps', { id: runId, limit: 100 });
  const requests = useList('/runs/{id}/requests', { id: runId });
  const messages = useList('/runs/{id}/messages', { id: runId, limit: 200 });
  // The message that started it belongs to no step.
  const firstStep = steps.more === undefined && steps.rows ? 0 : steps.rows?.at(-1)?.number;
  useCovering(requests, firstStep);
  useCovering(messages, firstStep);
  const told = useMemo(() => {
    const [asked, said] = [byStep(requests.rows), byStep(messages.rows)];
    return steps.rows
      ?.toReversed()
      .map((step) => ({ ...step, messages: said.get(step.number) ?? [], requests: asked.get(step.number) ?? [] }));
  }, [steps.rows, requests.rows, messages.rows]);
  const first = firstStep === 0 ? messages.rows?.find(({ step }) => step === 0) : undefined;
  return { steps: told, first, lists: [steps, requests, messages] };
};
