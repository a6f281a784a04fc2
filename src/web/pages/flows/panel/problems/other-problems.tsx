import { useSyncExternalStore } from 'react';
import { useOpenBlock } from '../open-block.ts';
import { FieldProblems } from './field-problems.tsx';

/** The problems of the open block that no control of its form shows. */
export const OtherProblems = () => {
  const { issues, claims } = useOpenBlock();
  useSyncExternalStore(claims.subscribe, claims.version);
  return <FieldProblems id="other-problems" areNamed problems={issues.filter(({ path }) => !claims.has(path))} />;
};
