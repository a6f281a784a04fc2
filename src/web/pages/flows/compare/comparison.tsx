import { useMemo } from 'react';
import type { AnyDefinition } from '../definition-text.ts';
import { Drawing } from '../drawing/drawing.tsx';
import { differencesOf, kindsOf, withRemoved } from './differences.ts';

type Props = {
  flowId: string;
  before: AnyDefinition;
  after: AnyDefinition;
};

/** Two definitions of a flow on one drawing, where blocks that are gone stand as well. */
export const Comparison = ({ flowId, before, after }: Props) => {
  const kinds = useMemo(() => kindsOf(differencesOf(before, after)), [before, after]);
  const drawn = useMemo(() => withRemoved(before, after), [before, after]);
  return <Drawing flowId={flowId} definition={drawn} changeOf={(id) => kinds.get(id)} />;
};
