import { createContext, use } from 'react';
import type { Schemas } from '../../../api/client.ts';

/** How runs went through a block in the last seven days. */
export type Numbers = Schemas['FlowAnalytics']['blocks'][number];

/** What a drawing shows of runs: how they went through a block, and where their list is. */
type ShownNumbers = {
  /** From when on, where seven days have more than is read. */
  since: string | undefined;
  numbersAt: (blockId: string) => Numbers | undefined;
  runsAt: (filter: { block?: string; status?: string }) => string;
};

/** Undefined where a drawing shows none. */
export const NumbersContext = createContext<ShownNumbers | undefined>(undefined);

export const useShownNumbers = (): ShownNumbers | undefined => use(NumbersContext);
